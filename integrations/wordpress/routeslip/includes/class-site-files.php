<?php
/**
 * Files that the plugin generates for a site.
 *
 * @package Routeslip
 */

namespace Routeslip;

defined( 'ABSPATH' ) || exit;

/**
 * Generated files in the folder `routeslip` of the site's uploads. The web server serves them without PHP: the public key for
 * the proxy, and a style sheet that a strict Content Security Policy allows.
 */
final class Site_Files {

	/** The names of all generated files. */
	private const NAMES = array( 'jwks.json', 'tokens.css' );

	/**
	 * Writes a file. Returns whether the folder could be written.
	 *
	 * @param string $name    One of the names above.
	 * @param string $content Its content.
	 */
	public static function write( string $name, string $content ): bool {
		$path = self::path( $name );
		return wp_mkdir_p( dirname( $path ) ) && self::disk()->put_contents( $path, $content, 0644 );
	}

	/**
	 * Removes a file.
	 *
	 * @param string $name One of the names above.
	 */
	public static function remove( string $name ): void {
		if ( is_file( self::path( $name ) ) ) {
			wp_delete_file( self::path( $name ) );
		}
	}

	/**
	 * Removes all files and the folder.
	 */
	public static function remove_all(): void {
		array_map( array( self::class, 'remove' ), self::NAMES );
		$folder = dirname( self::path( 'x' ) );
		if ( is_dir( $folder ) ) {
			self::disk()->rmdir( $folder );
		}
	}

	/**
	 * Returns the path of a file.
	 *
	 * @param string $name One of the names above.
	 */
	public static function path( string $name ): string {
		return wp_upload_dir( null, false )['basedir'] . '/routeslip/' . $name;
	}

	/**
	 * Returns the address of a file.
	 *
	 * @param string $name One of the names above.
	 */
	public static function url( string $name ): string {
		return wp_upload_dir( null, false )['baseurl'] . '/routeslip/' . $name;
	}

	/**
	 * Returns direct access to the disk. Uploads can always be written by PHP, unlike the folders of plugins.
	 */
	private static function disk(): \WP_Filesystem_Direct {
		require_once ABSPATH . 'wp-admin/includes/class-wp-filesystem-base.php';
		require_once ABSPATH . 'wp-admin/includes/class-wp-filesystem-direct.php';
		defined( 'FS_CHMOD_FILE' ) || define( 'FS_CHMOD_FILE', 0644 );
		defined( 'FS_CHMOD_DIR' ) || define( 'FS_CHMOD_DIR', 0755 );
		return new \WP_Filesystem_Direct( null );
	}
}
