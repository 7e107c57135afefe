<?php
/**
 * Plugin Name:       Routeslip
 * Plugin URI:        https://www.npmjs.com/package/routeslip
 * Description:       Blocks that show and drive approval routing and file storage: where a request is, who it waits for, its documents and comments, and forms that become requests.
 * Version:           0.1.0
 * Requires at least: 6.1
 * Requires PHP:      8.1
 * Author:            Routeslip
 * License:           MIT
 * License URI:       https://opensource.org/license/mit
 * Text Domain:       routeslip
 * Domain Path:       /languages
 *
 * @package Routeslip
 */

namespace Routeslip;

defined( 'ABSPATH' ) || exit;

const VERSION     = '0.1.0';
const PLUGIN_FILE = __FILE__;

require __DIR__ . '/includes/class-languages.php';
require __DIR__ . '/includes/class-site-files.php';
require __DIR__ . '/includes/class-settings.php';
require __DIR__ . '/includes/class-colors.php';
require __DIR__ . '/includes/class-identity.php';
require __DIR__ . '/includes/class-nonce.php';
require __DIR__ . '/includes/class-forwarder.php';
require __DIR__ . '/includes/class-router.php';
require __DIR__ . '/includes/class-elements.php';
require __DIR__ . '/includes/class-page.php';
require __DIR__ . '/includes/class-form.php';
require __DIR__ . '/includes/class-blocks.php';
require __DIR__ . '/includes/class-shortcodes.php';
require __DIR__ . '/includes/class-settings-page.php';
require __DIR__ . '/includes/class-profile.php';

add_filter( 'load_textdomain_mofile', array( Languages::class, 'file' ), 10, 2 );
add_action(
	'init',
	static function (): void {
		load_plugin_textdomain( 'routeslip', false, dirname( plugin_basename( __FILE__ ) ) . '/languages' );
		Page::register();
		Blocks::register();
		Shortcodes::register();
	}
);
// Before WordPress serves its own REST API, which would read the whole body into memory.
add_action( 'parse_request', array( Router::class, 'handle' ), 0 );
add_action( 'wp_footer', array( Page::class, 'print_configuration' ) );
add_filter( 'script_loader_tag', array( Page::class, 'script_tag' ), 10, 3 );
add_action( 'enqueue_block_editor_assets', array( Blocks::class, 'enqueue_editor' ) );
add_action( 'admin_menu', array( Settings_Page::class, 'add' ) );
add_action( 'admin_init', array( Settings::class, 'register' ) );
add_action( 'edit_user_profile', array( Profile::class, 'show' ) );
add_action( 'show_user_profile', array( Profile::class, 'show' ) );
add_action( 'edit_user_profile_update', array( Profile::class, 'save' ) );
add_action( 'personal_options_update', array( Profile::class, 'save' ) );
