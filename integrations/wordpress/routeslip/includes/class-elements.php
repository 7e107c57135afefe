<?php
/**
 * The elements.
 *
 * @package Routeslip
 */

namespace Routeslip;

defined( 'ABSPATH' ) || exit;

/**
 * Prints elements with the attributes that elements.json lists. That file is generated from the elements themselves.
 */
final class Elements {

	/**
	 * Returns the description, the attributes and the kind of content of each element, by tag.
	 *
	 * @return array<string, array{description: string, isContainer: bool, attributes: array<string, array>}>
	 */
	public static function all(): array {
		return self::file()['elements'];
	}

	/**
	 * Returns the colors of the elements on light pages, by custom property.
	 *
	 * @return array<string, string>
	 */
	public static function light_colors(): array {
		return self::file()['lightColors'];
	}

	/**
	 * Returns the content of elements.json.
	 *
	 * @return array<string, array>
	 */
	private static function file(): array {
		static $content = null;
		$content        = $content ?? wp_json_file_decode( dirname( PLUGIN_FILE ) . '/elements.json', array( 'associative' => true ) );
		return $content;
	}

	/**
	 * Returns the title of each element in the editor, by tag.
	 *
	 * @return array<string, string>
	 */
	public static function titles(): array {
		return array(
			'wf-package-status' => __( 'Request status', 'routeslip' ),
			'wf-history'        => __( 'Request history', 'routeslip' ),
			'wf-comments'       => __( 'Request comments', 'routeslip' ),
			'wf-attachments'    => __( 'Request documents', 'routeslip' ),
			'fs-uploader'       => __( 'File upload', 'routeslip' ),
			'fs-files'          => __( 'Stored files', 'routeslip' ),
			'fs-shares'         => __( 'File shares', 'routeslip' ),
			'wf-form'           => __( 'Request form', 'routeslip' ),
			'wf-office'         => __( 'Office field', 'routeslip' ),
			'wf-route'          => __( 'Approval route', 'routeslip' ),
			'wf-overrides'      => __( 'Replaced approvers', 'routeslip' ),
			'wf-context'        => __( 'Request settings', 'routeslip' ),
		);
	}

	/**
	 * Returns an element as HTML, and makes the page load the script.
	 *
	 * @param string               $tag     Its tag.
	 * @param array<string, mixed> $values  Values of attributes by name. Others than those of the element are left out.
	 * @param string               $content HTML inside it: its content, or what is shown until the script has loaded.
	 * @param string               $more    Further attributes as HTML, such as its class.
	 */
	public static function html( string $tag, array $values, string $content, string $more = '' ): string {
		Page::need_script();
		$text = '' === $more ? '' : " $more";
		foreach ( self::all()[ $tag ]['attributes'] as $name => $attribute ) {
			$value = self::value( $attribute, $values[ $name ] ?? null );
			if ( null !== $value ) {
				$text .= '' === $value ? " $name" : sprintf( ' %s="%s"', $name, esc_attr( $value ) );
			}
		}
		return "<$tag$text>$content</$tag>";
	}

	/**
	 * Returns the value of an attribute as text: null if it is absent, and an empty text for a boolean one.
	 *
	 * @param array{type: string, values?: string[]} $attribute The attribute.
	 * @param mixed                                  $value     Its value.
	 */
	private static function value( array $attribute, $value ): ?string {
		if ( 'boolean' === $attribute['type'] ) {
			return filter_var( $value, FILTER_VALIDATE_BOOLEAN ) ? '' : null;
		}
		if ( ! is_scalar( $value ) || '' === trim( (string) $value ) ) {
			return null;
		}
		$text = trim( (string) $value );
		if ( 'number' === $attribute['type'] ) {
			return preg_match( '/^\d{1,15}$/D', $text ) && '0' !== $text ? $text : null;
		}
		return 'choice' === $attribute['type'] && ! in_array( $text, $attribute['values'], true ) ? null : $text;
	}
}
