<?php
/**
 * The connection to the proxy.
 *
 * @package Routeslip
 */

namespace Routeslip;

defined( 'ABSPATH' ) || exit;

// The HTTP API of WordPress keeps whole bodies in memory, so this class uses curl.
// phpcs:disable WordPress.WP.AlternativeFunctions

/**
 * Forwards the current request to the proxy and streams its response. Needs the curl extension of PHP.
 *
 * Bodies never stay in memory: a file that PHP has received is sent from its temporary file, and any other body from the
 * stream of the request.
 */
final class Forwarder {

	/** Headers of the browser that the proxy needs. No cookies, and nothing that names a user. */
	private const REQUEST_HEADERS = array(
		'accept',
		'content-type',
		'idempotency-key',
		'last-event-id',
		'origin',
		'referer',
		'sec-fetch-site',
		'x-routeslip',
		'x-workflow-verification',
	);

	/** Hop-by-hop headers (RFC 9110, section 7.6.1), and cookies, which the proxy never sets. */
	private const CONNECTION_HEADERS = array(
		'connection',
		'keep-alive',
		'proxy-authenticate',
		'proxy-connection',
		'set-cookie',
		'te',
		'trailer',
		'transfer-encoding',
		'upgrade',
	);

	/** Seconds after which a page without live events tries again. It polls in the meantime. */
	private const STREAM_RETRY = 60;

	/** Seconds between two probes whether the browser still follows live events. */
	private const PROBE = 2;

	/**
	 * The last byte that the browser got. Between two lines, a comment can follow.
	 *
	 * @var string
	 */
	private static string $last = '';

	/**
	 * Creates a forwarder.
	 *
	 * @param string $proxy   Address of the proxy with its base path, such as http://127.0.0.1:8090/api/wf.
	 * @param int    $streams Maximum number of streams of live events at a time on this server. Each occupies a process.
	 */
	public function __construct( private readonly string $proxy, private readonly int $streams ) {
	}

	/**
	 * Forwards the current request and sends the response to the browser.
	 *
	 * @param string      $method Method in lower case.
	 * @param string      $path   Path below the base path of the proxy.
	 * @param string      $query  Query without its question mark.
	 * @param string|null $token  Token that names the signed-in user. Null if nobody is signed in.
	 */
	public function forward( string $method, string $path, string $query, ?string $token ): void {
		if ( '' === $this->proxy ) {
			Router::refuse( 503, 'The address of the proxy is missing in the settings of the site.' );
			return;
		}
		$place = null;
		if ( '/events' === $path ) {
			$place = $this->take_place();
			if ( null === $place ) {
				header( 'Retry-After: ' . self::STREAM_RETRY );
				Router::refuse( $this->streams > 0 ? 503 : 404, 'Live events are not available at the moment.' );
				return;
			}
		}

		$curl = curl_init( $this->proxy . $path . ( '' === $query ? '' : "?$query" ) );
		curl_setopt_array(
			$curl,
			array(
				CURLOPT_CUSTOMREQUEST   => strtoupper( $method ),
				CURLOPT_HTTPHEADER      => self::headers( $token, self::is_parsed_form( $method ) ),
				CURLOPT_HTTP_VERSION    => CURL_HTTP_VERSION_1_1,
				CURLOPT_PROTOCOLS       => CURLPROTO_HTTP | CURLPROTO_HTTPS,
				// A redirect leads the browser to a file.
				CURLOPT_FOLLOWLOCATION  => false,
				// Never use an HTTP proxy from the environment: the request names a user.
				CURLOPT_PROXY           => '',
				CURLOPT_CONNECTTIMEOUT  => 3,
				// No limit while bytes arrive. On live events, the proxy sends a heartbeat every 15 seconds.
				CURLOPT_LOW_SPEED_LIMIT => 1,
				CURLOPT_LOW_SPEED_TIME  => 120,
			)
		);
		if ( 'get' !== $method && ! self::add_body( $curl, self::is_parsed_form( $method ) ) ) {
			return;
		}
		if ( null !== $place ) {
			self::watch_browser( $curl );
		}
		self::run( $curl );
		if ( null !== $place ) {
			fclose( $place );
		}
	}

	/**
	 * Returns the headers of the request to the proxy.
	 *
	 * @param string|null $token   Token of the user.
	 * @param bool        $is_form Whether curl writes the form, with a content type of its own.
	 * @return string[]
	 */
	private static function headers( ?string $token, bool $is_form ): array {
		// Empty, because curl would add its own values.
		$headers = array( 'Expect:', 'Accept:' );
		if ( null !== $token ) {
			$headers[] = "Authorization: Bearer $token";
		}
		foreach ( self::REQUEST_HEADERS as $name ) {
			$key   = 'content-type' === $name ? 'CONTENT_TYPE' : 'HTTP_' . strtoupper( strtr( $name, '-', '_' ) );
			$value = (string) wp_unslash( $_SERVER[ $key ] ?? '' ); // phpcs:ignore WordPress.Security.ValidatedSanitizedInput.InputNotSanitized -- Line breaks are replaced below, and the proxy checks the values.
			if ( '' !== $value && ! ( $is_form && 'content-type' === $name ) ) {
				$headers[] = "$name: " . strtr( $value, "\r\n", '  ' );
			}
		}
		return $headers;
	}

	/**
	 * Whether PHP has parsed the body as a form with files. It does not if `enable_post_data_reading` is off.
	 *
	 * @param string $method Method in lower case.
	 */
	private static function is_parsed_form( string $method ): bool {
		$type = strtolower( (string) wp_unslash( $_SERVER['CONTENT_TYPE'] ?? '' ) ); // phpcs:ignore WordPress.Security.ValidatedSanitizedInput.InputNotSanitized -- It is only compared.
		return 'post' === $method && str_starts_with( $type, 'multipart/form-data' ) && ini_get( 'enable_post_data_reading' );
	}

	/**
	 * Adds the body of the current request. Returns false if it has responded with an error instead.
	 *
	 * @param \CurlHandle $curl    The request to the proxy.
	 * @param bool        $is_form Whether PHP has parsed it as a form.
	 */
	private static function add_body( \CurlHandle $curl, bool $is_form ): bool {
		if ( ! $is_form ) {
			// Only the header tells whether there is a body: a stream cannot be asked for its length.
			$length = isset( $_SERVER['CONTENT_LENGTH'] ) ? absint( $_SERVER['CONTENT_LENGTH'] ) : -1;
			curl_setopt_array(
				$curl,
				array(
					CURLOPT_UPLOAD     => true,
					CURLOPT_INFILE     => fopen( 'php://input', 'rb' ),
					CURLOPT_INFILESIZE => $length,
				)
			);
			return true;
		}
		// phpcs:disable WordPress.Security.NonceVerification.Missing, WordPress.Security.ValidatedSanitizedInput -- Router has checked the nonce if a user is signed in. The proxy refuses forms of others, and checks the form.
		$file = $_FILES['file'] ?? null;
		// PHP drops the whole body if it is larger than post_max_size.
		$is_dropped = array() === $_FILES && array() === $_POST;
		if ( $is_dropped || in_array( $file['error'] ?? 0, array( UPLOAD_ERR_INI_SIZE, UPLOAD_ERR_FORM_SIZE ), true ) ) {
			Router::refuse( 413, 'The file is too large for this site.' );
			return false;
		}
		if ( 1 !== count( $_FILES ) || ! is_string( $file['tmp_name'] ?? null ) || UPLOAD_ERR_OK !== $file['error'] ) {
			Router::refuse( 400, 'The file did not arrive. Try again.' );
			return false;
		}
		// The text goes first. A value that begins with @ is text too.
		$form         = array_filter( wp_unslash( $_POST ), 'is_string' );
		$form['file'] = new \CURLFile(
			$file['tmp_name'],
			wp_unslash( $file['type'] ) ?: 'application/octet-stream', // phpcs:ignore Universal.Operators.DisallowShortTernary -- Empty if the browser does not know the type.
			wp_unslash( $file['name'] )
		);
		// phpcs:enable WordPress.Security.NonceVerification.Missing, WordPress.Security.ValidatedSanitizedInput
		curl_setopt( $curl, CURLOPT_POSTFIELDS, $form );
		return true;
	}

	/**
	 * Ends a stream of live events soon after the browser has left. PHP notices that only when it writes, and the next heartbeat
	 * of the proxy may be 15 seconds away. An empty comment (HTML, section 9.2.6) changes nothing for the browser.
	 *
	 * @param \CurlHandle $curl The request to the proxy.
	 */
	private static function watch_browser( \CurlHandle $curl ): void {
		$written = time();
		curl_setopt_array(
			$curl,
			array(
				CURLOPT_NOPROGRESS       => false,
				CURLOPT_PROGRESSFUNCTION => static function () use ( &$written ): int {
					if ( headers_sent() && str_ends_with( self::$last, "\n" ) && time() - $written >= self::PROBE ) {
						$written = time();
						echo ":\n";
						flush();
					}
					return connection_aborted();
				},
			)
		);
	}

	/**
	 * Sends the request, and streams the response to the browser.
	 *
	 * @param \CurlHandle $curl The request.
	 */
	private static function run( \CurlHandle $curl ): void {
		global $wpdb;
		// Long transfers must hold no connection to the database.
		$wpdb->close();
		set_time_limit( 0 ); // phpcs:ignore Squiz.PHP.DiscouragedFunctions.Discouraged -- Streams of live events last long.
		// Otherwise PHP ends inside a callback of curl when the browser has left, and never closes the connection to the proxy.
		ignore_user_abort( true );
		ini_set( 'zlib.output_compression', 'Off' ); // phpcs:ignore WordPress.PHP.IniSet.Risky, Squiz.PHP.DiscouragedFunctions.Discouraged -- It would hold back events.
		while ( ob_get_level() > 0 ) {
			ob_end_clean();
		}

		$head = array();
		curl_setopt_array(
			$curl,
			array(
				CURLOPT_HEADERFUNCTION => static function ( $curl, string $line ) use ( &$head ): int {
					$text = trim( $line );
					if ( preg_match( '~^HTTP/\S+ (\d{3})~', $text, $found ) ) {
						$head = array( 'status' => (int) $found[1] );
					} elseif ( '' !== $text ) {
						$head['headers'][] = $text;
					} elseif ( $head['status'] >= 200 ) {
						// Another response follows 100 (Continue).
						self::send_head( $head['status'], $head['headers'] ?? array() );
					}
					return strlen( $line );
				},
				CURLOPT_WRITEFUNCTION  => static function ( $curl, string $chunk ): int {
					// phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- The type of the content is that of the proxy.
					echo $chunk;
					flush();
					self::$last = substr( $chunk, -1 );
					return connection_aborted() ? 0 : strlen( $chunk );
				},
			)
		);
		curl_exec( $curl );
		if ( ! headers_sent() && ( $head['status'] ?? 0 ) < 200 ) {
			Router::refuse( 502, 'The service cannot be reached. Try again in a moment.' );
		}
	}

	/**
	 * Sends the status and the headers of the response. Headers that WordPress or PHP has set do not belong to it, except for
	 * the nonce.
	 *
	 * @param int      $status  HTTP status.
	 * @param string[] $headers Lines.
	 */
	private static function send_head( int $status, array $headers ): void {
		$cookies = array_filter( headers_list(), static fn( string $line ): bool => 0 === stripos( $line, 'set-cookie: routeslip_' ) );
		header_remove();
		http_response_code( $status );
		foreach ( array_merge( $cookies, $headers ) as $index => $line ) {
			$name = strtolower( strtok( $line, ':' ) );
			if ( in_array( $line, $cookies, true ) || ! in_array( $name, self::CONNECTION_HEADERS, true ) ) {
				header( $line, false );
			}
		}
		flush();
	}

	/**
	 * Takes a place for a stream of live events. Returns its lock, which ends with the process; null if none is free.
	 *
	 * @return resource|null
	 */
	private function take_place() {
		for ( $place = 1; $place <= $this->streams; $place++ ) {
			$file = fopen( get_temp_dir() . 'routeslip-' . substr( wp_hash( home_url() ), 0, 16 ) . "-$place.lock", 'c' );
			if ( $file && flock( $file, LOCK_EX | LOCK_NB ) ) {
				return $file;
			}
		}
		return null;
	}
}
