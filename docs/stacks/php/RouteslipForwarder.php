<?php

declare(strict_types=1);

/** Response of the proxy: status, headers, and a function that prints the body as it arrives. */
final class RouteslipResponse
{
    /**
     * @param array<string, string> $headers
     * @param Closure(): void $print
     */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly Closure $print,
    ) {
    }

    public function send(): void
    {
        http_response_code($this->status);
        foreach ($this->headers as $name => $value) {
            header("$name: $value");
        }
        ($this->print)();
    }
}

/**
 * Forwards calls of a page to the Routeslip proxy as the signed-in user. Needs the curl extension.
 *
 * PHP reads a whole upload before a script runs, so the progress bar on the page shows the upload to this server.
 * `upload_max_filesize` and `post_max_size` must be slightly more than ROUTESLIP_MAX_FILE_SIZE.
 */
final class RouteslipForwarder
{
    /** Headers from the browser that the proxy needs. No cookies and no identity headers. */
    private const REQUEST_HEADERS = [
        'accept', 'content-type', 'idempotency-key', 'last-event-id', 'origin', 'referer', 'sec-fetch-site',
        'x-routeslip', 'x-workflow-verification',
    ];

    /** Hop-by-hop headers (RFC 9110, 7.6.1), and cookies, which the proxy never sets. */
    private const CONNECTION_HEADERS = [
        'connection', 'keep-alive', 'proxy-authenticate', 'proxy-connection', 'set-cookie', 'te', 'trailer',
        'transfer-encoding', 'upgrade',
    ];

    /**
     * @param string $proxy URL of the proxy, such as http://127.0.0.1:8090
     * @param string $secret its ROUTESLIP_IDENTITY_SECRET
     * @param bool $events whether to forward live events. They occupy one PHP process for each visible page. Without them,
     *   pages poll every ten seconds.
     */
    public function __construct(
        private readonly string $proxy,
        private readonly string $secret,
        private readonly bool $events = false,
    ) {
    }

    /**
     * Forwards the current request to the proxy.
     *
     * @param string|null $univid university ID of the signed-in user; null if nobody is signed in
     * @param array<string, mixed> $server as $_SERVER
     * @param array<string, mixed> $fields as $_POST
     * @param array<string, mixed> $files as $_FILES
     */
    public function forward(?string $univid, array $server, array $fields, array $files): RouteslipResponse
    {
        // Other requests of this user wait while the session is open.
        if (session_status() === PHP_SESSION_ACTIVE) {
            session_write_close();
        }
        $method = (string) $server['REQUEST_METHOD'];
        [$path, $query] = explode('?', (string) $server['REQUEST_URI'], 2) + [1 => ''];
        // The raw path. Every path of the API uses only these characters, so nothing in it can have a second meaning.
        if (!preg_match('~^/api/wf((?:/[A-Za-z0-9_-]+)+(?:\.json)?)$~D', $path, $found)) {
            return self::refuse(404, 'There is no such address.');
        }
        $isEvents = str_ends_with($found[1], '/events');
        if (preg_match('~/(?:metrics|healthz|readyz)$~D', $found[1]) || ($isEvents && !$this->events)) {
            return self::refuse(404, 'This is not to be had here.');
        }
        if (!in_array($method, ['GET', 'POST', 'PUT', 'DELETE'], true)) {
            return self::refuse(405, 'There is no such method.');
        }

        // Empty, because curl would add its own value.
        $headers = ['Expect:', 'Accept:'];
        if ($univid !== null && preg_match('/^\d{1,12}$/D', $univid)) {
            array_push($headers, "x-remote-user: $univid", "x-routeslip-front: {$this->secret}");
        }
        $type = (string) ($server['CONTENT_TYPE'] ?? '');
        $isForm = str_starts_with(strtolower($type), 'multipart/form-data');
        foreach (self::REQUEST_HEADERS as $name) {
            $key = $name === 'content-type' ? 'CONTENT_TYPE' : 'HTTP_' . strtoupper(strtr($name, '-', '_'));
            $value = (string) ($server[$key] ?? '');
            if ($value !== '' && !($isForm && $name === 'content-type')) {
                $headers[] = "$name: " . strtr($value, "\r\n", '  ');
            }
        }

        $curl = curl_init($this->proxy . $path . ($query === '' ? '' : "?$query"));
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_1_1,
            // A redirect leads the browser to a file.
            CURLOPT_FOLLOWLOCATION => false,
            // Never use an HTTP proxy from the environment: the request contains the secret.
            CURLOPT_PROXY => '',
            CURLOPT_CONNECTTIMEOUT => 3,
            // No limit while bytes arrive. On live events, the proxy sends a heartbeat every 15 seconds.
            CURLOPT_LOW_SPEED_LIMIT => 1,
            CURLOPT_LOW_SPEED_TIME => 120,
        ]);
        if ($isForm) {
            $form = self::formOf($fields, $files);
            if ($form instanceof RouteslipResponse) {
                return $form;
            }
            curl_setopt($curl, CURLOPT_POSTFIELDS, $form);
        } elseif ($method !== 'GET') {
            curl_setopt($curl, CURLOPT_POSTFIELDS, (string) file_get_contents('php://input'));
        }
        return self::run($curl);
    }

    /**
     * The parts of an upload: an optional text, and one file that curl streams from disk.
     *
     * @return array<string, string|CURLFile>|RouteslipResponse
     */
    private static function formOf(array $fields, array $files): array|RouteslipResponse
    {
        $file = $files['file'] ?? null;
        // PHP drops the whole body if it is larger than post_max_size.
        $isTooLarge = $files === [] && $fields === [];
        if ($isTooLarge || in_array($file['error'] ?? 0, [UPLOAD_ERR_INI_SIZE, UPLOAD_ERR_FORM_SIZE], true)) {
            return self::refuse(413, 'The file is too large.');
        }
        if (count($files) !== 1 || !is_string($file['tmp_name'] ?? null)) {
            return self::refuse(400, 'There has to be exactly one file.');
        }
        if ($file['error'] !== UPLOAD_ERR_OK) {
            return self::refuse(400, 'The file did not arrive.');
        }
        // The text goes first.
        return array_filter($fields, 'is_string')
            + ['file' => new CURLFile($file['tmp_name'], $file['type'] ?: 'application/octet-stream', $file['name'])];
    }

    /** Waits for the response headers. The body is read when it is printed. */
    private static function run(CurlHandle $curl): RouteslipResponse
    {
        $status = 0;
        $headers = [];
        $isHeadDone = false;
        $isPrinting = false;
        $early = '';
        curl_setopt_array($curl, [
            CURLOPT_HEADERFUNCTION => static function ($curl, string $line) use (&$status, &$headers, &$isHeadDone): int {
                $text = trim($line);
                if (preg_match('~^HTTP/\S+ (\d{3})~', $text, $found)) {
                    $status = (int) $found[1];
                    $headers = [];
                } elseif ($text === '') {
                    // Another response follows 100 (Continue).
                    $isHeadDone = $status >= 200;
                } else {
                    [$name, $value] = explode(':', $text, 2) + [1 => ''];
                    if (!in_array(strtolower($name), self::CONNECTION_HEADERS, true)) {
                        $headers[$name] = trim($value);
                    }
                }
                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => static function ($curl, string $chunk) use (&$isPrinting, &$early): int {
                if (!$isPrinting) {
                    $early .= $chunk;
                    return strlen($chunk);
                }
                return self::show($chunk) ? strlen($chunk) : 0;
            },
        ]);

        $all = curl_multi_init();
        curl_multi_add_handle($all, $curl);
        $step = static function () use ($all): bool {
            curl_multi_exec($all, $active);
            if ($active) {
                curl_multi_select($all, 1.0);
            }
            return $active > 0;
        };
        set_time_limit(0);
        // Otherwise PHP ends inside a callback of curl when the browser has left, and never closes the connection to the proxy.
        ignore_user_abort(true);
        while ($step() && !$isHeadDone);
        if (!$isHeadDone) {
            return self::refuse(502, 'The service cannot be reached. Try again in a moment.');
        }
        return new RouteslipResponse($status, $headers, static function () use (&$isPrinting, &$early, $step): void {
            while (ob_get_level() > 0) {
                ob_end_clean();
            }
            $isPrinting = true;
            if ($early === '' || self::show($early)) {
                while ($step() && !connection_aborted());
            }
        });
    }

    /** Flushes data to the browser. Returns whether the browser is still connected. */
    private static function show(string $text): bool
    {
        echo $text;
        flush();
        return !connection_aborted();
    }

    private static function refuse(int $status, string $detail): RouteslipResponse
    {
        $headers = ['Content-Type' => 'application/problem+json', 'Cache-Control' => 'no-store', 'x-routeslip' => '1'];
        $body = json_encode(['type' => 'about:blank', 'status' => $status, 'detail' => $detail]);
        return new RouteslipResponse($status, $headers, static function () use ($body): void {
            echo $body;
        });
    }
}
