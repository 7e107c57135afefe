<?php

declare(strict_types=1);

// Receives the callbacks that the proxy forwards. ROUTESLIP_FORWARD_URL is the address of this file, and both sides have the
// same ROUTESLIP_FORWARD_SECRET. Any status from 200 to 299 means that your application has the callback.

/** Returns the payload if one of the secrets signed it in the last five minutes; null otherwise. */
function verifiedPayload(string $body, array $server, string $secrets): ?array
{
    $id = $server['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $server['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!preg_match('/^[0-9a-f]{64}$/D', $id) || !ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return null;
    }
    foreach (explode(',', $secrets) as $secret) {
        $secret = trim($secret);
        $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, strlen('whsec_')), true) : false;
        // Anyone can sign with an empty key.
        if ($key === false || strlen($key) < 24) {
            continue;
        }
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
        foreach (explode(' ', $server['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
            if (hash_equals($expected, $signature)) {
                return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
            }
        }
    }
    return null;
}

$payload = verifiedPayload(file_get_contents('php://input'), $_SERVER, (string) getenv('ROUTESLIP_FORWARD_SECRET'));
if ($payload === null) {
    http_response_code(401);
    exit;
}

// A callback may come twice, always with the same id. Here, it is one row per id, in one transaction with its effect:
//   INSERT INTO callbacks (id, form_id, package_id, state) VALUES (…) ON CONFLICT (id) DO NOTHING
$folder = getenv('ROUTESLIP_CALLBACKS') ?: sys_get_temp_dir();
$file = "$folder/{$_SERVER['HTTP_WEBHOOK_ID']}.json";
if (!file_exists($file)) {
    file_put_contents("$file.part", json_encode($payload, JSON_THROW_ON_ERROR)) ?: throw new RuntimeException("Cannot write $file");
    rename("$file.part", $file);
}
http_response_code(204);
