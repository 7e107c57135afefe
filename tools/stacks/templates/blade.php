<?php
// Prints what Blade makes of a template for each id. Argument: the autoloader of its view component.

use Illuminate\Filesystem\Filesystem;
use Illuminate\View\Compilers\BladeCompiler;

[, $autoload] = $argv;
require $autoload;
['template' => $template, 'ids' => $ids] = json_decode(stream_get_contents(STDIN), true);
$compiled = (new BladeCompiler(new Filesystem(), sys_get_temp_dir()))->compileString($template);
$printed = [];
foreach ($ids as $id) {
    ob_start();
    eval("?>$compiled");
    $printed[] = ob_get_clean();
}
echo json_encode($printed);
