<?php
/**
 * The signed-in user.
 *
 * @package Routeslip
 */

namespace Routeslip;

defined( 'ABSPATH' ) || exit;

/**
 * Knows the university ID of the signed-in user, and states it to the proxy in a signed token (RFC 7519). Only this site has
 * the private key. The proxy reads the public key from a file in the uploads of the site.
 */
final class Identity {

	/** Audience of the tokens (`aud`). */
	public const AUDIENCE = 'routeslip';

	/** Minimum lifetime of a token in seconds. The proxy needs it only to begin a request. */
	private const LIFETIME = 60;

	/** Seconds for which a user has the same token, so that the proxy verifies it once for all requests of a page. */
	private const REUSE = 30;

	/**
	 * Returns the university ID of the signed-in user: 1 to 12 digits. Null if nobody is signed in.
	 */
	public static function univid(): ?string {
		$source = Settings::get( 'identity' );
		if ( 'server' === $source ) {
			// The web server sets this variable. Users cannot.
			$value = sanitize_text_field( wp_unslash( $_SERVER[ Settings::get( 'server_variable' ) ] ?? '' ) );
		} elseif ( ! is_user_logged_in() ) {
			return null;
		} elseif ( 'login' === $source ) {
			$value = wp_get_current_user()->user_login;
		} else {
			$value = get_user_meta( get_current_user_id(), Settings::get( 'meta_key' ), true );
		}
		return is_string( $value ) && preg_match( '/^\d{1,12}$/D', $value ) ? $value : null;
	}

	/**
	 * Returns a token that names a user to the proxy, with the groups of that user.
	 *
	 * @param string $univid University ID.
	 */
	public static function token( string $univid ): string {
		$now     = time() - time() % self::REUSE;
		$key     = self::key();
		$encoded = self::encode(
			array(
				'alg' => 'EdDSA',
				'typ' => 'JWT',
				'kid' => self::key_id( $key ),
			)
		) . '.' . self::encode(
			array(
				'iss'    => self::issuer(),
				'aud'    => self::AUDIENCE,
				'iat'    => $now,
				'exp'    => $now + self::REUSE + self::LIFETIME,
				'univid' => $univid,
				'groups' => self::groups(),
			)
		);
		return $encoded . '.' . self::base64url( sodium_crypto_sign_detached( $encoded, $key ) );
	}

	/**
	 * Returns the groups of the user for the policy of the proxy: the roles on this site. None if the web server names the user,
	 * because the account of WordPress may then be that of another person.
	 *
	 * @return string[]
	 */
	private static function groups(): array {
		return 'server' === Settings::get( 'identity' ) ? array() : array_values( wp_get_current_user()->roles );
	}

	/**
	 * Returns the issuer of the tokens (`iss`): the address of the site.
	 */
	public static function issuer(): string {
		return untrailingslashit( home_url() );
	}

	/**
	 * Creates the key of the site if it has none, and publishes its public part. Returns whether it could be published.
	 *
	 * @param bool $renew Whether to replace the key. Tokens of the old one are no longer valid.
	 */
	public static function publish_key( bool $renew = false ): bool {
		if ( $renew ) {
			delete_option( 'routeslip_signing_key' );
		}
		$key  = self::key();
		$jwks = array(
			'keys' => array(
				array(
					'kty' => 'OKP',
					'crv' => 'Ed25519',
					'alg' => 'EdDSA',
					'use' => 'sig',
					'kid' => self::key_id( $key ),
					'x'   => self::base64url( sodium_crypto_sign_publickey_from_secretkey( $key ) ),
				),
			),
		);
		return Site_Files::write( 'jwks.json', (string) wp_json_encode( $jwks, JSON_UNESCAPED_SLASHES ) );
	}

	/**
	 * Returns the private key (64 bytes).
	 */
	private static function key(): string {
		$stored = get_option( 'routeslip_signing_key' );
		if ( ! is_string( $stored ) || '' === $stored ) {
			$new = sodium_crypto_sign_secretkey( sodium_crypto_sign_keypair() );
			// If another process is faster, its key counts.
			add_option( 'routeslip_signing_key', self::base64url( $new ), '', false );
			$stored = (string) get_option( 'routeslip_signing_key' );
			self::publish_key();
		}
		return sodium_base642bin( $stored, SODIUM_BASE64_VARIANT_URLSAFE_NO_PADDING );
	}

	/**
	 * Returns the ID of a key: a hash of its public part.
	 *
	 * @param string $key The private key.
	 */
	private static function key_id( string $key ): string {
		return substr( hash( 'sha256', sodium_crypto_sign_publickey_from_secretkey( $key ) ), 0, 16 );
	}

	/**
	 * Returns a part of a token.
	 *
	 * @param array<string, mixed> $part Header or claims.
	 */
	private static function encode( array $part ): string {
		return self::base64url( (string) wp_json_encode( $part ) );
	}

	/**
	 * Encodes bytes in base64url without padding (RFC 7515, section 2).
	 *
	 * @param string $bytes The bytes.
	 */
	private static function base64url( string $bytes ): string {
		return sodium_bin2base64( $bytes, SODIUM_BASE64_VARIANT_URLSAFE_NO_PADDING );
	}
}
