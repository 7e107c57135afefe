<?php
// Prints what the includes for Blade print. Arguments: the autoloader of its view component, the folder of views, and one for
// compiled views. Jobs come from the standard input.

use Illuminate\Container\Container;
use Illuminate\Events\Dispatcher;
use Illuminate\Filesystem\Filesystem;
use Illuminate\View\Compilers\BladeCompiler;
use Illuminate\View\Engines\CompilerEngine;
use Illuminate\View\Engines\EngineResolver;
use Illuminate\View\Factory;
use Illuminate\View\FileViewFinder;

[, $autoload, $views, $compiled] = $argv;
require $autoload;

$files = new Filesystem();
$compiler = new BladeCompiler($files, $compiled);
$engines = new EngineResolver();
$engines->register('blade', fn() => new CompilerEngine($compiler, $files));
$factory = new Factory($engines, new FileViewFinder($files, [$views]), new Dispatcher());
// Blade finds these in the application that it usually belongs to.
$application = new class extends Container {
    public function getNamespace(): string
    {
        return 'App\\';
    }
};
Container::setInstance($application);
$factory->setContainer($application);
$application->instance(Illuminate\Contracts\View\Factory::class, $factory);
$application->instance(Illuminate\Contracts\Foundation\Application::class, $application);
$application->instance('view', $factory);
$application->instance('config', new ArrayObject(['view.compiled' => $compiled]));

$printed = [];
foreach (json_decode(stream_get_contents(STDIN), true) as $index => ['tag' => $tag, 'values' => $values, 'content' => $content]) {
    $attributes = '';
    foreach (array_keys($values) as $name) {
        $attributes .= " :$name=\"\$values['$name']\"";
    }
    file_put_contents("$views/job$index.blade.php", "<x-routeslip.$tag$attributes>{{ \$content }}</x-routeslip.$tag>");
    $printed[] = $factory->make("job$index", ['values' => $values, 'content' => $content])->render();
}
echo json_encode($printed);
