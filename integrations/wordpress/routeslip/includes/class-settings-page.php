<?php
/**
 * The settings page.
 *
 * @package Routeslip
 */

namespace Routeslip;

defined( 'ABSPATH' ) || exit;

/**
 * Shows the settings, whether the proxy responds, and what its operator has to configure.
 */
final class Settings_Page {

	/**
	 * Adds the page to the menu.
	 */
	public static function add(): void {
		add_options_page( 'Routeslip', 'Routeslip', 'manage_options', 'routeslip', array( self::class, 'show' ) );
	}

	/**
	 * Prints the page.
	 */
	public static function show(): void {
		$is_renewed = isset( $_POST['routeslip_renew'] ) && check_admin_referer( 'routeslip-renew' ) && Settings::can_connect();
		$is_written = Identity::publish_key( $is_renewed );
		?>
		<div class="wrap">
			<h1>Routeslip</h1>
			<?php self::show_problems( $is_renewed, $is_written ); ?>
			<form action="options.php" method="post">
				<?php
				settings_fields( Settings::OPTION );
				self::show_connection();
				self::show_identity();
				self::show_pages();
				self::show_colors();
				submit_button();
				?>
			</form>
			<?php self::show_proxy_variables(); ?>
		</div>
		<?php
	}

	/**
	 * Prints what does not work at present.
	 *
	 * @param bool $is_renewed Whether the key was replaced just now.
	 * @param bool $is_written Whether the public key could be written.
	 */
	private static function show_problems( bool $is_renewed, bool $is_written ): void {
		if ( $is_renewed ) {
			self::notice( 'success', __( 'The key was replaced. The proxy reads the new one within a minute.', 'routeslip' ) );
		}
		if ( ! $is_written ) {
			self::notice( 'error', __( 'The uploads folder cannot be written, so the proxy cannot read the key of this site.', 'routeslip' ) );
		}
		if ( null === Router::endpoint() ) {
			self::notice( 'error', __( 'Choose any permalink structure except “Plain” under Settings → Permalinks. The elements need addresses without a query.', 'routeslip' ) );
		}
		if ( ! is_file( dirname( PLUGIN_FILE ) . '/dist/routeslip-autoload.js' ) ) {
			self::notice( 'error', __( 'The scripts of the elements are missing. Install the plugin from its zip file.', 'routeslip' ) );
		}
		if ( ! extension_loaded( 'curl' ) ) {
			self::notice( 'error', __( 'PHP lacks its curl extension, so nothing can be forwarded to the proxy.', 'routeslip' ) );
		}
		if ( ! is_ssl() && ! preg_match( '~^(?:localhost|127\.0\.0\.1)$~', (string) wp_parse_url( home_url(), PHP_URL_HOST ) ) ) {
			self::notice( 'warning', __( 'Serve this site over HTTPS. Browsers send what the requests need only over HTTPS.', 'routeslip' ) );
		}
	}

	/**
	 * Prints the address of the proxy and its state.
	 */
	private static function show_connection(): void {
		$proxy = Settings::get( 'proxy' );
		self::heading( __( 'Connection', 'routeslip' ) );
		self::row(
			'proxy',
			__( 'Address of the proxy', 'routeslip' ),
			__( 'With its path, as the server of this site reaches it, such as http://127.0.0.1:8090/api/wf.', 'routeslip' ),
			'url'
		);
		if ( '' !== $proxy ) {
			echo '<tr><th scope="row">' . esc_html__( 'State', 'routeslip' ) . '</th><td>';
			$response = wp_remote_get( "$proxy/healthz", array( 'timeout' => 5 ) );
			$found    = ! is_wp_error( $response ) && '1' === wp_remote_retrieve_header( $response, 'x-routeslip' );
			if ( $found ) {
				echo esc_html__( '✓ The proxy responds.', 'routeslip' );
			} elseif ( is_wp_error( $response ) ) {
				/* translators: %s: technical reason, in English. */
				echo esc_html( sprintf( __( '✗ The proxy cannot be reached: %s', 'routeslip' ), $response->get_error_message() ) );
			} else {
				/* translators: %d: HTTP status, such as 404. */
				echo esc_html( sprintf( __( '✗ Something else responds at this address (status %d). Check its path.', 'routeslip' ), wp_remote_retrieve_response_code( $response ) ) );
			}
			echo '</td></tr>';
		}
		self::row(
			'streams',
			__( 'Live events', 'routeslip' ),
			__( 'Maximum number of visitors who see changes at once. Each of them occupies one process of PHP; all others see changes within ten seconds. 0 turns live events off.', 'routeslip' ),
			'number'
		);
		echo '</table>';
	}

	/**
	 * Prints where the university ID comes from.
	 */
	private static function show_identity(): void {
		self::heading( __( 'University ID of the signed-in user', 'routeslip' ) );
		$choices = array(
			'meta'   => __( 'A field of the user, which single sign-on or an administrator fills in', 'routeslip' ),
			'login'  => __( 'The user name', 'routeslip' ),
			'server' => __( 'A variable of the web server, which single sign-on sets', 'routeslip' ),
		);
		echo '<tr><th scope="row">' . esc_html__( 'Source', 'routeslip' ) . '</th><td><fieldset>';
		echo '<legend class="screen-reader-text">' . esc_html__( 'Source', 'routeslip' ) . '</legend>';
		foreach ( $choices as $value => $label ) {
			printf(
				'<label><input type="radio" name="routeslip[identity]" value="%s" %s %s> %s</label><br>',
				esc_attr( $value ),
				checked( Settings::get( 'identity' ), $value, false ),
				disabled( ! Settings::can_connect(), true, false ),
				esc_html( $label )
			);
		}
		echo '</fieldset></td></tr>';
		self::row( 'meta_key', __( 'Name of the field', 'routeslip' ), __( 'Users must not be able to change it themselves.', 'routeslip' ) );
		self::row(
			'server_variable',
			__( 'Name of the variable', 'routeslip' ),
			__( 'REMOTE_USER, or HTTP_ and the name of a header such as HTTP_X_UNIVID. Use a header only if your web server replaces it on every request. Otherwise, anyone can act as anyone else.', 'routeslip' )
		);
		echo '</table>';
	}

	/**
	 * Prints what applies to all pages.
	 */
	private static function show_pages(): void {
		self::heading( __( 'Pages', 'routeslip' ) );
		$lines = array();
		foreach ( Settings::get( 'forms' ) as $id => $title ) {
			$lines[] = trim( "$id $title" );
		}
		printf(
			'<tr><th scope="row"><label for="routeslip-forms">%s</label></th><td><textarea id="routeslip-forms" name="routeslip[forms]" rows="4" class="regular-text" aria-describedby="routeslip-forms-help">%s</textarea><p class="description" id="routeslip-forms-help">%s</p></td></tr>',
			esc_html__( 'Forms', 'routeslip' ),
			esc_textarea( implode( "\n", $lines ) ),
			esc_html__( 'One on each line: its ID, a space, and its title. Blocks without a form use the first one.', 'routeslip' )
		);
		self::row(
			'parameter',
			__( 'Package in the address', 'routeslip' ),
			__( 'With “package”, a page with the address /request/?package=42 shows package 42.', 'routeslip' )
		);
		self::row( 'time_zone', __( 'Time zone', 'routeslip' ), __( 'Such as America/Chicago. Empty: the time zone of the site.', 'routeslip' ) );
		self::row(
			'sign_in_url',
			__( 'Sign-in page', 'routeslip' ),
			__( 'With {returnUrl} for the page to return to. Empty: the sign-in page of WordPress.', 'routeslip' )
		);
		echo '</table>';
	}

	/**
	 * Prints the colors, and which of them are hard to read.
	 */
	private static function show_colors(): void {
		$titles  = array(
			'accent'    => __( 'Buttons and links', 'routeslip' ),
			'on_accent' => __( 'Text on buttons', 'routeslip' ),
			'surface'   => __( 'Background', 'routeslip' ),
			'text'      => __( 'Text', 'routeslip' ),
			'line'      => __( 'Borders', 'routeslip' ),
		);
		$chosen  = Settings::get( 'colors' );
		$palette = Colors::palette();
		self::heading( __( 'Colors', 'routeslip' ) );
		foreach ( $titles as $token => $title ) {
			$slug = $chosen[ $token ] ?? '';
			printf( '<tr><th scope="row"><label for="routeslip-%1$s">%2$s</label></th><td>', esc_attr( $token ), esc_html( $title ) );
			printf( '<select id="routeslip-%1$s" name="routeslip[colors][%1$s]"><option value="">%2$s</option>', esc_attr( $token ), esc_html__( 'Default color', 'routeslip' ) );
			foreach ( $palette as $key => $entry ) {
				printf( '<option value="%s" %s>%s (%s)</option>', esc_attr( $key ), selected( $slug, $key, false ), esc_html( $entry['name'] ), esc_html( $entry['color'] ) );
			}
			echo '</select>';
			foreach ( Colors::problems( $chosen ) as list( $front, $back, $contrast, $needed ) ) {
				if ( $front === $token ) {
					printf(
						'<p class="notice notice-warning inline">%s</p>',
						esc_html(
							sprintf(
								/* translators: 1: a color, 2: another color, 3: their contrast, such as 2.1, 4: the contrast that is needed, such as 4.5. */
								__( '“%1$s” and “%2$s” have a contrast of %3$s:1. Many people cannot read that. It has to be at least %4$s:1.', 'routeslip' ),
								$titles[ $front ],
								$titles[ $back ],
								number_format_i18n( floor( $contrast * 10 ) / 10, 1 ),
								number_format_i18n( $needed, 1 )
							)
						)
					);
				}
			}
			echo '</td></tr>';
		}
		echo '</table>';
		echo '<p>' . esc_html__( 'The colors are those of the theme. If the theme changes a color, the elements change with it.', 'routeslip' ) . '</p>';
	}

	/**
	 * Prints what the operator of the proxy has to configure. None of it is secret.
	 */
	private static function show_proxy_variables(): void {
		$lines = array(
			'ROUTESLIP_IDENTITY=jwt',
			'ROUTESLIP_IDENTITY_JWKS_URL=' . Site_Files::url( 'jwks.json' ),
			'ROUTESLIP_IDENTITY_ISSUER=' . Identity::issuer(),
			'ROUTESLIP_IDENTITY_AUDIENCE=' . Identity::AUDIENCE,
			'ROUTESLIP_GROUPS_CLAIM=groups',
		);
		echo '<h2>' . esc_html__( 'Settings of the proxy', 'routeslip' ) . '</h2>';
		echo '<p>' . esc_html__( 'The site signs who the user is, and the proxy verifies it with the public key of the site. The roles of the user are groups for its policy.', 'routeslip' ) . '</p>';
		echo '<pre dir="ltr" style="white-space: pre-wrap; overflow-wrap: anywhere">' . esc_html( implode( "\n", $lines ) ) . '</pre>';
		if ( Settings::can_connect() ) {
			echo '<form method="post">';
			wp_nonce_field( 'routeslip-renew' );
			submit_button( __( 'Replace the key', 'routeslip' ), 'secondary', 'routeslip_renew', false );
			echo '</form>';
		}
	}

	/**
	 * Begins a section with a table of fields.
	 *
	 * @param string $text Its heading.
	 */
	private static function heading( string $text ): void {
		echo '<h2>' . esc_html( $text ) . '</h2><table class="form-table" role="presentation">';
	}

	/**
	 * Prints a text field.
	 *
	 * @param string $name  Name of the setting.
	 * @param string $label Its label.
	 * @param string $help  Sentence below it.
	 * @param string $type  Type of the input.
	 */
	private static function row( string $name, string $label, string $help, string $type = 'text' ): void {
		$is_disabled = in_array( $name, Settings::PROTECTED, true ) && ! Settings::can_connect();
		printf(
			'<tr><th scope="row"><label for="routeslip-%1$s">%2$s</label></th><td><input id="routeslip-%1$s" name="routeslip[%1$s]" type="%3$s" class="%4$s" value="%5$s" aria-describedby="routeslip-%1$s-help" %6$s><p class="description" id="routeslip-%1$s-help">%7$s</p></td></tr>',
			esc_attr( $name ),
			esc_html( $label ),
			esc_attr( $type ),
			'number' === $type ? 'small-text' : 'regular-text code',
			esc_attr( (string) Settings::get( $name ) ),
			disabled( $is_disabled, true, false ),
			esc_html( $help )
		);
	}

	/**
	 * Prints a notice.
	 *
	 * @param string $kind error, warning or success.
	 * @param string $text Its text.
	 */
	private static function notice( string $kind, string $text ): void {
		printf( '<div class="notice notice-%s"><p>%s</p></div>', esc_attr( $kind ), esc_html( $text ) );
	}
}
