<?php

declare(strict_types=1);

// For a web server that stands in front of the proxy itself: it asks here, with the browser's cookies, who is signed in.

require __DIR__ . '/signed-in.php';

$univid = univid();
header('Cache-Control: no-store');
if ($univid === null) {
    http_response_code(401);
} else {
    http_response_code(204);
    header("x-univid: $univid");
}
