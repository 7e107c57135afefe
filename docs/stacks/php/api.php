<?php

declare(strict_types=1);

// Handles /api/wf/ if PHP forwards calls. Configure the web server:
//   nginx:  location /api/wf/ { include fastcgi_params; fastcgi_param SCRIPT_FILENAME $document_root/api.php; fastcgi_pass …; }
//   Apache: RewriteRule ^/?api/wf/ /api.php [END]

require __DIR__ . '/RouteslipForwarder.php';
require __DIR__ . '/signed-in.php';

$forwarder = new RouteslipForwarder(
    getenv('ROUTESLIP_PROXY') ?: 'http://127.0.0.1:8090',
    (string) getenv('ROUTESLIP_IDENTITY_SECRET'),
    events: getenv('ROUTESLIP_EVENTS') === 'true',
);
$forwarder->forward(univid(), $_SERVER, $_POST, $_FILES)->send();
