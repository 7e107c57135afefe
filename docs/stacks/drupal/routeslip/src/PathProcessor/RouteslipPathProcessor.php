<?php

declare(strict_types=1);

namespace Drupal\routeslip\PathProcessor;

use Drupal\Core\PathProcessor\InboundPathProcessorInterface;
use Symfony\Component\HttpFoundation\Request;

/** Maps every path below /api/wf to one route, because Drupal's routes have a fixed number of parts. */
final class RouteslipPathProcessor implements InboundPathProcessorInterface
{
    public function processInbound($path, Request $request): string
    {
        return str_starts_with($path, '/api/wf/') ? '/api/wf' : $path;
    }
}
