<?php
/**
 * The settings of a site.
 *
 * @package Routeslip
 */

namespace Routeslip;

defined( 'ABSPATH' ) || exit;

/**
 * Reads and checks the settings. They are one option of each site.
 */
final class Settings {

	/** Name of the option. */
	public const OPTION = 'routeslip';

	/** The settings that decide who a user is and where requests go. On a network, only its administrators change them. */
	public const PROTECTED = array( 'proxy', 'identity', 'meta_key', 'server_variable', 'streams' );

	/** Colors of the elements, by setting: the custom property that the style sheet sets. */
	public const TOKENS = array(
		'accent'    => '--wf-accent',
		'on_accent' => '--wf-on-accent',
		'surface'   => '--wf-surface',
		'text'      => '--wf-text',
		'line'      => '--wf-line',
	);

	/** What applies before anybody has saved settings. */
	private const DEFAULTS = array(
		// Address of the proxy with its base path.
		'proxy'           => '',
		// Where the university ID comes from: meta, login or server.
		'identity'        => 'meta',
		'meta_key'        => 'univid', // phpcs:ignore WordPress.DB.SlowDBQuery.slow_db_query_meta_key -- Not a query.
		'server_variable' => 'REMOTE_USER',
		// Maximum number of streams of live events at a time.
		'streams'         => 4,
		// Title by form ID. The first one is the default of all pages.
		'forms'           => array(),
		// Name of the parameter with the ID of the package in the addresses of pages.
		'parameter'       => 'package',
		// IANA name. Empty: that of the site.
		'time_zone'       => '',
		// Address of the sign-in page, with {returnUrl}. Empty: that of WordPress.
		'sign_in_url'     => '',
		// Slug of a color of the theme, by token.
		'colors'          => array(),
	);

	/**
	 * Returns a setting.
	 *
	 * @param string $name One of the keys above.
	 * @return mixed
	 */
	public static function get( string $name ) {
		return self::all()[ $name ];
	}

	/**
	 * Returns all settings.
	 *
	 * @return array<string, mixed>
	 */
	public static function all(): array {
		return array_merge( self::DEFAULTS, (array) get_option( self::OPTION, array() ) );
	}

	/**
	 * Registers the option, so that WordPress checks what the settings page sends.
	 */
	public static function register(): void {
		register_setting(
			self::OPTION,
			self::OPTION,
			array(
				'type'              => 'object',
				'sanitize_callback' => array( self::class, 'sanitize' ),
			)
		);
		add_action( 'update_option_' . self::OPTION, array( self::class, 'publish' ) );
		add_action( 'add_option_' . self::OPTION, array( self::class, 'publish' ) );
	}

	/**
	 * Whether the current user may change the protected settings.
	 */
	public static function can_connect(): bool {
		return current_user_can( is_multisite() ? 'manage_network_options' : 'manage_options' );
	}

	/**
	 * Writes the files that depend on the settings.
	 */
	public static function publish(): void {
		$css = Colors::style_sheet( self::get( 'colors' ) );
		if ( '' === $css ) {
			Site_Files::remove( 'tokens.css' );
		} elseif ( ! Site_Files::write( 'tokens.css', $css ) ) {
			add_settings_error( self::OPTION, 'files', __( 'The uploads folder cannot be written, so the colors do not apply.', 'routeslip' ) );
		}
		if ( ! Identity::publish_key() ) {
			add_settings_error( self::OPTION, 'key', __( 'The uploads folder cannot be written, so the proxy cannot read the key of this site.', 'routeslip' ) );
		}
	}

	/**
	 * Returns the settings to store. A value that is not valid keeps the previous one, with an error for the user.
	 *
	 * @param mixed $sent What the form has sent.
	 * @return array<string, mixed>
	 */
	public static function sanitize( $sent ): array {
		$sent     = is_array( $sent ) ? $sent : array();
		$settings = self::all();
		$names    = array_keys( self::DEFAULTS );
		if ( ! self::can_connect() ) {
			$names = array_diff( $names, self::PROTECTED );
		}
		foreach ( $names as $name ) {
			if ( ! isset( $sent[ $name ] ) ) {
				continue;
			}
			$value = self::clean( $name, $sent[ $name ] );
			if ( null === $value ) {
				add_settings_error( self::OPTION, $name, self::problem( $name ) );
			} else {
				$settings[ $name ] = $value;
			}
		}
		return $settings;
	}

	/**
	 * Returns a value to store; null if it is not valid.
	 *
	 * @param string $name  Name of the setting.
	 * @param mixed  $value What the form has sent, or a stored value.
	 * @return mixed
	 */
	private static function clean( string $name, $value ) {
		if ( 'colors' === $name ) {
			return array_filter( array_map( 'sanitize_key', array_intersect_key( (array) $value, self::TOKENS ) ) );
		}
		if ( 'forms' === $name ) {
			return is_array( $value ) ? $value : self::parse_forms( (string) $value );
		}
		$value = trim( sanitize_text_field( (string) $value ) );
		switch ( $name ) {
			case 'proxy':
				return '' === $value ? '' : self::proxy_address( $value );
			case 'identity':
				return in_array( $value, array( 'meta', 'login', 'server' ), true ) ? $value : null;
			case 'meta_key':
			case 'parameter':
				return preg_match( '/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/D', $value ) ? $value : null;
			case 'server_variable':
				return preg_match( '/^[A-Z][A-Z0-9_]{0,63}$/D', $value ) ? $value : null;
			case 'streams':
				return preg_match( '/^\d{1,3}$/D', $value ) ? (int) $value : null;
			case 'time_zone':
				return '' === $value || in_array( $value, timezone_identifiers_list(), true ) ? $value : null;
			default:
				return preg_match( '~^(?:https://|/(?!/)|$)~', $value ) ? $value : null;
		}
	}

	/**
	 * Returns the address of the proxy without a slash at its end; null if it is not valid.
	 *
	 * @param string $value The address.
	 */
	private static function proxy_address( string $value ): ?string {
		$parts = wp_parse_url( $value );
		$known = array( 'scheme', 'host', 'port', 'path' );
		if ( ! is_array( $parts ) || array() !== array_diff( array_keys( $parts ), $known ) || empty( $parts['host'] ) ) {
			return null;
		}
		return in_array( $parts['scheme'] ?? '', array( 'http', 'https' ), true ) ? untrailingslashit( $value ) : null;
	}

	/**
	 * Returns the forms in a text, one on each line: an ID, and a title. Null if a line is not valid.
	 *
	 * @param string $text The text.
	 * @return array<int, string>|null
	 */
	private static function parse_forms( string $text ): ?array {
		$forms = array();
		foreach ( preg_split( '/\R/', trim( $text ), -1, PREG_SPLIT_NO_EMPTY ) as $line ) {
			if ( ! preg_match( '/^\s*([1-9]\d{0,14})(?:\s+(.*\S))?\s*$/', $line, $found ) ) {
				return null;
			}
			$forms[ (int) $found[1] ] = sanitize_text_field( $found[2] ?? '' );
		}
		return $forms;
	}

	/**
	 * Returns the message for a value that is not valid.
	 *
	 * @param string $name Name of the setting.
	 */
	private static function problem( string $name ): string {
		$problems = array(
			'proxy'           => __( 'Enter the address of the proxy with its path, such as http://127.0.0.1:8090/api/wf. It has no user name and no query.', 'routeslip' ),
			'forms'           => __( 'Enter one form on each line: its ID, a space, and its title.', 'routeslip' ),
			'meta_key'        => __( 'Enter the name of a user field: letters, digits, hyphens and underscores.', 'routeslip' ), // phpcs:ignore WordPress.DB.SlowDBQuery.slow_db_query_meta_key -- Not a query.
			'parameter'       => __( 'Enter the name of a parameter: letters, digits, hyphens and underscores.', 'routeslip' ),
			'server_variable' => __( 'Enter the name of a variable of the web server in capital letters, such as REMOTE_USER.', 'routeslip' ),
			'streams'         => __( 'Enter a number from 0 to 999.', 'routeslip' ),
			'time_zone'       => __( 'Enter the name of a time zone, such as America/Chicago.', 'routeslip' ),
			'sign_in_url'     => __( 'Enter an address that begins with https:// or with a slash.', 'routeslip' ),
		);
		return $problems[ $name ] ?? __( 'Choose one of the options.', 'routeslip' );
	}
}
