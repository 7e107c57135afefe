<?php
/**
 * The nonce that allows changes.
 *
 * @package Routeslip
 */

namespace Routeslip;

defined( 'ABSPATH' ) || exit;

/**
 * A nonce of WordPress for one user and session, in a cookie that scripts cannot read and browsers send only from pages of the
 * same site. A read of a page of this site sets it, and a change needs it. Elements cannot send the header X-WP-Nonce, and a
 * nonce in the page would expire while the page is open.
 */
final class Nonce {

	/**
	 * Creates the nonce of a user.
	 *
	 * @param string $univid University ID.
	 */
	public function __construct( private readonly string $univid ) {
	}

	/**
	 * Whether the request carries the nonce.
	 */
	public function is_valid(): bool {
		return 1 <= (int) wp_verify_nonce( $this->sent(), $this->action() );
	}

	/**
	 * Sets the cookie, unless the request carries a nonce that stays valid for at least twelve hours.
	 */
	public function renew(): void {
		if ( 1 === wp_verify_nonce( $this->sent(), $this->action() ) ) {
			return;
		}
		setcookie(
			self::name(),
			wp_create_nonce( $this->action() ),
			array(
				'path'     => Router::endpoint() . '/',
				'secure'   => is_ssl(),
				'httponly' => true,
				'samesite' => 'Strict',
			)
		);
	}

	/**
	 * Returns the nonce of the request, or an empty string.
	 */
	private function sent(): string {
		return sanitize_key( $_COOKIE[ self::name() ] ?? '' );
	}

	/**
	 * Returns the action of the nonce.
	 */
	private function action(): string {
		return 'routeslip-' . $this->univid;
	}

	/**
	 * Returns the name of the cookie. Sites on the same host have different ones.
	 */
	private static function name(): string {
		return 'routeslip_' . COOKIEHASH . '_' . get_current_blog_id();
	}
}
