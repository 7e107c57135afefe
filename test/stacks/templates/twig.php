<?php
// Prints what the includes for Twig print. Arguments: the autoloader of Twig, and the folder of the includes. Jobs come from
// the standard input.

[, $autoload, $folder] = $argv;
require $autoload;
$twig = new Twig\Environment(new Twig\Loader\FilesystemLoader($folder));
$printed = [];
foreach (json_decode(stream_get_contents(STDIN), true) as ['tag' => $tag, 'values' => $values, 'content' => $content]) {
    $macro = strtr($tag, '-', '_');
    $template = "{% import 'routeslip.html.twig' as routeslip %}{{ routeslip.$macro(values, content) }}";
    $printed[] = $twig->createTemplate($template)->render(['values' => $values, 'content' => $content]);
}
echo json_encode($printed);
