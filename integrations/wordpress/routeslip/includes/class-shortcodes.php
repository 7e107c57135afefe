<?php
/**
 * Shortcodes.
 *
 * @package Routeslip
 */

namespace Routeslip;

defined( 'ABSPATH' ) || exit;

/**
 * Registers a shortcode for each element, for the classic editor: [wf_history package-id="42"].
 */
final class Shortcodes {

	/**
	 * Registers the shortcodes.
	 */
	public static function register(): void {
		foreach ( Elements::all() as $tag => $element ) {
			add_shortcode(
				strtr( $tag, '-', '_' ),
				static fn( $given, $content ): string => self::html( $tag, $element, (array) $given, (string) $content )
			);
		}
	}

	/**
	 * Returns the HTML of a shortcode.
	 *
	 * @param string               $tag     Tag of the element.
	 * @param array<string, mixed> $element Its entry in elements.json.
	 * @param array                $given   Attributes of the shortcode. Those without a value have numbers as keys.
	 * @param string               $content What it encloses.
	 */
	private static function html( string $tag, array $element, array $given, string $content ): string {
		$values = array();
		foreach ( $given as $name => $value ) {
			// [wf_form autosave] is short for [wf_form autosave="true"].
			$values += is_int( $name ) ? array( $value => 'true' ) : array( $name => $value );
		}
		// The classic editor puts paragraphs around lines, and also around those of a form.
		$content = do_shortcode( shortcode_unautop( $content ) );
		if ( 'wf-form' === $tag ) {
			return Form::html( $values, $content, '', array() );
		}
		return Elements::html( $tag, $values, $element['isContainer'] ? $content : wp_kses_post( $content ) );
	}
}
