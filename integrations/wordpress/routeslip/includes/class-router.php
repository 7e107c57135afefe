<?php
/**
 * Requests below /wp-json/routeslip/v1/.
 *
 * @package Routeslip
 */

namespace Routeslip;

defined( 'ABSPATH' ) || exit;

/**
 * Decides about requests of pages before anything is forwarded to the proxy: path, origin, session and nonce.
 */
final class Router {

	/** Paths of the proxy for its operator. */
	private const OPERATOR_PATHS = array( '/metrics', '/healthz', '/readyz' );

	/** Maximum size of a callback of the routing service in bytes. */
	private const CALLBACK_SIZE = 1048576;

	/**
	 * Returns the address of the API on this site, without a slash at its end. Null if permalinks are plain, because paths
	 * cannot follow a query.
	 */
	public static function endpoint(): ?string {
		$url = untrailingslashit( rest_url( 'routeslip/v1' ) );
		return str_contains( $url, '?' ) ? null : (string) wp_parse_url( $url, PHP_URL_PATH );
	}

	/**
	 * Handles the current request if it is for this API.
	 */
	public static function handle(): void {
		$endpoint = self::endpoint();
		// The raw path. Every path of the API uses only the characters below, so nothing in it can have a second meaning.
		$uri              = (string) wp_unslash( $_SERVER['REQUEST_URI'] ?? '' ); // phpcs:ignore WordPress.Security.ValidatedSanitizedInput.InputNotSanitized -- The path is checked below, and the proxy checks the query.
		[ $path, $query ] = explode( '?', $uri, 2 ) + array( 1 => '' );
		if ( null === $endpoint || ! str_starts_with( $path, "$endpoint/" ) ) {
			return;
		}
		$path = substr( $path, strlen( $endpoint ) );
		self::respond( $path, $query );
		exit;
	}

	/**
	 * Responds to a request.
	 *
	 * @param string $path  Path below the endpoint, with a slash at its beginning.
	 * @param string $query Query without its question mark.
	 */
	private static function respond( string $path, string $query ): void {
		$method = sanitize_key( $_SERVER['REQUEST_METHOD'] ?? '' );
		if ( ! preg_match( '~^(?:/[A-Za-z0-9_-]+)+(?:\.json)?$~D', $path ) || in_array( $path, self::OPERATOR_PATHS, true ) ) {
			self::refuse( 404, 'This address does not exist.' );
		} elseif ( ! in_array( $method, array( 'get', 'post', 'put', 'delete' ), true ) ) {
			self::refuse( 405, 'This method is not supported.' );
		} elseif ( '/signed-in' === $path ) {
			self::tell_user();
		} elseif ( '/callbacks' === $path ) {
			self::forward_callback( $query );
		} elseif ( ! self::is_own_page() ) {
			self::refuse( 403, 'Only pages of this site can send this request.' );
		} elseif ( str_starts_with( $path, '/example/' ) ) {
			self::show_example( substr( $path, strlen( '/example' ) ), $query );
		} else {
			self::forward( $method, $path, $query );
		}
	}

	/**
	 * Whether a page of this site sends the request (Fetch Metadata). A person may also have typed the address of a download.
	 */
	private static function is_own_page(): bool {
		$site = sanitize_key( $_SERVER['HTTP_SEC_FETCH_SITE'] ?? '' );
		$mode = sanitize_key( $_SERVER['HTTP_SEC_FETCH_MODE'] ?? '' );
		if ( 'none' === $site ) {
			return 'navigate' === $mode;
		}
		$origin = esc_url_raw( wp_unslash( $_SERVER['HTTP_ORIGIN'] ?? '' ) );
		return 'same-origin' === $site && ( '' === $origin || self::origin_of( home_url() ) === $origin );
	}

	/**
	 * Returns the origin of an address.
	 *
	 * @param string $url The address.
	 */
	private static function origin_of( string $url ): string {
		$parts = wp_parse_url( $url );
		return $parts['scheme'] . '://' . $parts['host'] . ( isset( $parts['port'] ) ? ':' . $parts['port'] : '' );
	}

	/**
	 * Forwards the request to the proxy, as the signed-in user if there is one. The proxy responds with 401 to others.
	 *
	 * @param string $method Method in lower case.
	 * @param string $path   Path below the endpoint.
	 * @param string $query  Query without its question mark.
	 */
	private static function forward( string $method, string $path, string $query ): void {
		$univid = Identity::univid();
		if ( null !== $univid ) {
			$nonce = new Nonce( $univid );
			if ( 'get' === $method ) {
				$nonce->renew();
			} elseif ( ! $nonce->is_valid() ) {
				self::refuse( 403, 'This page has been open for too long. Reload it, and try again.' );
				return;
			}
		}
		$forwarder = new Forwarder( Settings::get( 'proxy' ), Settings::get( 'streams' ) );
		$forwarder->forward( $method, $path, $query, null === $univid ? null : Identity::token( $univid ) );
	}

	/**
	 * Forwards a callback of the routing service. It is signed, and names no user.
	 *
	 * @param string $query Query without its question mark.
	 */
	private static function forward_callback( string $query ): void {
		if ( absint( $_SERVER['CONTENT_LENGTH'] ?? 0 ) > self::CALLBACK_SIZE ) {
			self::refuse( 413, 'The callback is too large.' );
			return;
		}
		$forwarder = new Forwarder( Settings::get( 'proxy' ), 0 );
		$forwarder->forward( sanitize_key( $_SERVER['REQUEST_METHOD'] ?? '' ), '/callbacks', $query, null );
	}

	/**
	 * Names the signed-in user to a web server that forwards calls itself (`auth_request`).
	 */
	private static function tell_user(): void {
		$univid = Identity::univid();
		nocache_headers();
		status_header( null === $univid ? 401 : 204 );
		if ( null !== $univid ) {
			header( "x-univid: $univid" );
		}
	}

	/**
	 * Responds with example data to the previews in the editor.
	 *
	 * @param string $path  Path of the request that is shown as an example.
	 * @param string $query Its query.
	 */
	private static function show_example( string $path, string $query ): void {
		$examples = wp_json_file_decode( dirname( PLUGIN_FILE ) . '/examples.json', array( 'associative' => true ) );
		$response = $examples[ $path ] ?? null;
		if ( null === $response ) {
			self::refuse( 404, 'There is no example of this.' );
			return;
		}
		$is_page = str_ends_with( $path, '/page' );
		nocache_headers();
		header( 'Content-Type: ' . ( $is_page ? 'application/x-ndjson' : 'application/json; charset=utf-8' ) );
		header( 'x-routeslip: 1' );
		if ( ! $is_page ) {
			echo wp_json_encode( $response );
			return;
		}
		preg_match_all( '/(?<=part=)\w+/', $query, $names );
		foreach ( array_intersect( array_keys( $response ), $names[0] ) as $part ) {
			$head = array(
				'part'   => $part,
				'status' => 200,
			);
			echo wp_json_encode( $head ), "\n", wp_json_encode( $examples[ $response[ $part ] ] ), "\n";
		}
	}

	/**
	 * Responds with an error as problem details (RFC 9457), in English like those of the proxy.
	 *
	 * @param int    $status HTTP status.
	 * @param string $detail Sentence for people.
	 */
	public static function refuse( int $status, string $detail ): void {
		nocache_headers();
		status_header( $status );
		header( 'Content-Type: application/problem+json; charset=utf-8' );
		header( 'x-routeslip: 1' );
		echo wp_json_encode(
			array(
				'type'   => 'about:blank',
				'status' => $status,
				'title'  => get_status_header_desc( $status ),
				'detail' => $detail,
			)
		);
	}
}
