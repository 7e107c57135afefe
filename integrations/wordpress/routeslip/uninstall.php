<?php
/**
 * Removes the options and files of the plugin. University IDs in the profiles of users belong to the site and stay.
 *
 * @package Routeslip
 */

namespace Routeslip;

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

require_once __DIR__ . '/includes/class-site-files.php';

/**
 * Removes what the plugin has stored for the current site.
 */
function uninstall_site(): void {
	delete_option( 'routeslip' );
	delete_option( 'routeslip_signing_key' );
	Site_Files::remove_all();
}

if ( is_multisite() ) {
	foreach ( get_sites(
		array(
			'fields' => 'ids',
			'number' => 0,
		)
	) as $routeslip_site ) {
		switch_to_blog( $routeslip_site );
		uninstall_site();
		restore_current_blog();
	}
} else {
	uninstall_site();
}
