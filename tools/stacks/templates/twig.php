<?php
// Prints what Twig makes of a template for each id, with and without automatic escaping. Argument: the autoloader of Twig.

[, $autoload] = $argv;
require $autoload;
['template' => $template, 'ids' => $ids] = json_decode(stream_get_contents(STDIN), true);
$printed = [];
foreach (['html', false] as $autoescape) {
    $twig = new Twig\Environment(new Twig\Loader\ArrayLoader(['page' => $template]), ['autoescape' => $autoescape]);
    foreach ($ids as $id) {
        $printed[] = $twig->render('page', ['id' => $id]);
    }
}
echo json_encode($printed);
