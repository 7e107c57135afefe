<?php
/**
 * The university ID in the profile of a user.
 *
 * @package Routeslip
 */

namespace Routeslip;

defined( 'ABSPATH' ) || exit;

/**
 * Shows the university ID in profiles. Only people who may edit all users can change it, because it decides what a user sees.
 */
final class Profile {

	/**
	 * Prints the field.
	 *
	 * @param \WP_User $user The user of the profile.
	 */
	public static function show( \WP_User $user ): void {
		if ( 'meta' !== Settings::get( 'identity' ) ) {
			return;
		}
		$value = (string) get_user_meta( $user->ID, Settings::get( 'meta_key' ), true );
		wp_nonce_field( 'routeslip-profile', 'routeslip_profile_nonce' );
		?>
		<h2><?php esc_html_e( 'Requests', 'routeslip' ); ?></h2>
		<table class="form-table" role="presentation">
			<tr>
				<th><label for="routeslip-univid"><?php esc_html_e( 'University ID', 'routeslip' ); ?></label></th>
				<td>
					<input id="routeslip-univid" name="routeslip_univid" class="regular-text" inputmode="numeric" pattern="\d{1,12}"
						value="<?php echo esc_attr( $value ); ?>" <?php disabled( ! self::can_edit() ); ?>>
					<p class="description"><?php esc_html_e( 'Identifies this person to the routing service. Up to 12 digits.', 'routeslip' ); ?></p>
				</td>
			</tr>
		</table>
		<?php
	}

	/**
	 * Stores the field.
	 *
	 * @param int $user_id The user of the profile.
	 */
	public static function save( int $user_id ): void {
		$nonce = sanitize_key( $_POST['routeslip_profile_nonce'] ?? '' );
		if ( ! isset( $_POST['routeslip_univid'] ) || ! wp_verify_nonce( $nonce, 'routeslip-profile' ) || ! self::can_edit() ) {
			return;
		}
		$value = sanitize_text_field( wp_unslash( $_POST['routeslip_univid'] ) );
		if ( '' === $value ) {
			delete_user_meta( $user_id, Settings::get( 'meta_key' ) );
		} elseif ( preg_match( '/^\d{1,12}$/D', $value ) ) {
			update_user_meta( $user_id, Settings::get( 'meta_key' ), $value );
		}
	}

	/**
	 * Whether the current user may change IDs.
	 */
	private static function can_edit(): bool {
		return 'meta' === Settings::get( 'identity' ) && current_user_can( 'edit_users' );
	}
}
