<?php

declare(strict_types=1);

// For a web server that forwards to the proxy itself: it requests the signed-in user here, with the browser's cookies.

require __DIR__ . '/signed-in.php';

$univid = univid();
header('Cache-Control: no-store');
if ($univid === null) {
    http_response_code(401);
} else {
    http_response_code(204);
    header("x-univid: $univid");
}
