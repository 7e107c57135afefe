<?php
/**
 * Pages with elements.
 *
 * @package Routeslip
 */

namespace Routeslip;

defined( 'ABSPATH' ) || exit;

/**
 * Adds the script, the colors and the configuration to pages that contain elements, and to no others.
 */
final class Page {

	/** Path of the script in the plugin. It loads only the elements that the page uses. */
	private const SCRIPT = 'dist/routeslip-autoload.js';

	/**
	 * Whether the page contains an element.
	 *
	 * @var bool
	 */
	private static bool $is_used = false;

	/**
	 * Registers the script and the style sheets. Block themes print blocks before WordPress asks for scripts.
	 */
	public static function register(): void {
		wp_register_script( 'routeslip', plugins_url( self::SCRIPT, PLUGIN_FILE ), array(), VERSION, true );
		wp_register_style( 'routeslip', plugins_url( 'assets/form.css', PLUGIN_FILE ), array(), VERSION );
		if ( array() !== Settings::get( 'colors' ) && is_file( Site_Files::path( 'tokens.css' ) ) ) {
			$version = (string) filemtime( Site_Files::path( 'tokens.css' ) );
			wp_register_style( 'routeslip-tokens', Site_Files::url( 'tokens.css' ), array(), $version );
		}
	}

	/**
	 * Makes the page load the script.
	 */
	public static function need_script(): void {
		self::$is_used = true;
		wp_enqueue_script( 'routeslip' );
		if ( wp_style_is( 'routeslip-tokens', 'registered' ) ) {
			wp_enqueue_style( 'routeslip-tokens' );
		}
	}

	/**
	 * Makes the script a module that browsers run only if it has the expected content.
	 *
	 * @param string $tag    The tag that WordPress would print.
	 * @param string $handle Name of the script.
	 * @param string $src    Its address.
	 */
	public static function script_tag( string $tag, string $handle, string $src ): string {
		if ( 'routeslip' !== $handle ) {
			return $tag;
		}
		// Scripts of the same version have the same content, so the address of each file in dist names it only here.
		return wp_get_script_tag(
			array_filter(
				array(
					'type'      => 'module',
					'id'        => 'routeslip-js',
					'src'       => $src,
					'integrity' => self::integrity(),
				)
			)
		);
	}

	/**
	 * Returns the hash of the script, or an empty text.
	 */
	private static function integrity(): string {
		$file = dirname( PLUGIN_FILE ) . '/dist/integrity.json';
		$all  = is_file( $file ) ? wp_json_file_decode( $file, array( 'associative' => true ) ) : array();
		return $all[ basename( self::SCRIPT ) ]['integrity'] ?? '';
	}

	/**
	 * Prints the configuration of all elements of the page. It is data that nothing runs, so every policy allows it.
	 */
	public static function print_configuration(): void {
		if ( ! self::$is_used ) {
			return;
		}
		$json = (string) wp_json_encode( (object) self::configuration(), JSON_HEX_TAG | JSON_HEX_AMP | JSON_UNESCAPED_SLASHES );
		echo '<script type="application/json" data-wf-config>' . $json . "</script>\n"; // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- JSON without the characters < and &.
	}

	/**
	 * Returns the configuration of the elements.
	 *
	 * @return array<string, mixed>
	 */
	private static function configuration(): array {
		$settings = Settings::all();
		$sign_in  = add_query_arg( 'redirect_to', '{returnUrl}', wp_login_url() );
		$zone     = '' === $settings['time_zone'] ? wp_timezone_string() : $settings['time_zone'];
		return array_filter(
			array(
				'endpoint'  => Router::endpoint(),
				'formId'    => array_key_first( $settings['forms'] ),
				'packageId' => self::package_id( $settings['parameter'] ),
				// Some sites have only an offset, which is not a time zone.
				'timeZone'  => in_array( $zone, timezone_identifiers_list(), true ) ? $zone : null,
				'signInUrl' => '' === $settings['sign_in_url'] ? $sign_in : $settings['sign_in_url'],
			)
		);
	}

	/**
	 * Returns the ID of the package in the address of the page; null if there is none. The proxy decides who may see it.
	 *
	 * @param string $parameter Name of the parameter.
	 */
	private static function package_id( string $parameter ): ?int {
		// phpcs:ignore WordPress.Security.NonceVerification.Recommended, WordPress.Security.ValidatedSanitizedInput -- Only digits pass.
		$value = $_GET[ $parameter ] ?? null;
		return is_string( $value ) && preg_match( '/^[1-9]\d{0,14}$/D', $value ) ? (int) $value : null;
	}
}
