<?php
/**
 * The languages of the plugin.
 *
 * @package Routeslip
 */

namespace Routeslip;

defined( 'ABSPATH' ) || exit;

/**
 * Chooses the translation for the language of the user.
 */
final class Languages {

	/**
	 * Returns the translation for another region if there is none for this one, as the elements do: German for de_CH. Traditional
	 * Chinese has another script than simplified Chinese.
	 *
	 * @param string $file   Path of the translation that WordPress is about to load.
	 * @param string $domain Text domain.
	 */
	public static function file( string $file, string $domain ): string {
		$is_ours = 'routeslip' === $domain && preg_match( '/^routeslip-([a-z]{2,3})(?:_(\w+))?\.mo$/', basename( $file ), $found );
		if ( ! $is_ours || is_readable( $file ) || in_array( $found[2] ?? '', array( 'TW', 'HK' ), true ) ) {
			return $file;
		}
		$folder = dirname( PLUGIN_FILE ) . '/languages';
		$others = array_merge( (array) glob( "$folder/routeslip-$found[1].mo" ), (array) glob( "$folder/routeslip-$found[1]_*.mo" ) );
		return $others[0] ?? $file;
	}
}
