<?php
/**
 * Forms of pages.
 *
 * @package Routeslip
 */

namespace Routeslip;

defined( 'ABSPATH' ) || exit;

/**
 * Turns the content of a block or a shortcode into a form whose fields become a request.
 */
final class Form {

	/** Controls that can have a kind, with their attributes. */
	private const CONTROLS = '~<(input|select|textarea|output|wf-office)\b((?:[^>"\']|"[^"]*"|\'[^\']*\')*)>~i';

	/** Controls of one line: the attributes of the input by kind. Other kinds are plain text fields. */
	private const INPUTS = array(
		'date'          => 'type="date"',
		'url'           => 'type="url"',
		'email'         => 'type="email"',
		'number'        => 'inputmode="numeric"',
		'currency'      => 'inputmode="decimal"',
		'university_id' => 'inputmode="numeric"',
		'position'      => 'inputmode="numeric"',
	);

	/** Kinds whose control is the field for an office. The kind is also its level. */
	private const OFFICES = array( 'org', 'department', 'sub_department' );

	/**
	 * Returns the names of kinds for people. `none` leaves a control out of the request.
	 *
	 * @return array<string, string>
	 */
	public static function kinds(): array {
		return array(
			'text'           => __( 'Text', 'routeslip' ),
			'date'           => __( 'Date', 'routeslip' ),
			'url'            => __( 'Web address', 'routeslip' ),
			'email'          => __( 'Email address', 'routeslip' ),
			'number'         => __( 'Whole number', 'routeslip' ),
			'currency'       => __( 'Amount of money', 'routeslip' ),
			'university_id'  => __( 'University ID', 'routeslip' ),
			'org'            => __( 'Organization', 'routeslip' ),
			'department'     => __( 'Department', 'routeslip' ),
			'sub_department' => __( 'Sub-department', 'routeslip' ),
			'position'       => __( 'Position number', 'routeslip' ),
			'no_answer'      => __( 'No answer', 'routeslip' ),
			'none'           => __( 'Not part of the request', 'routeslip' ),
		);
	}

	/**
	 * Returns `<wf-form>` around a form.
	 *
	 * @param array<string, mixed> $values  Values of its attributes.
	 * @param string               $content HTML of the form. If it contains no `<form>`, it is put into one, with buttons.
	 * @param string               $more    Further attributes of the element as HTML.
	 * @param array<string, mixed> $options `kinds` by the name of the control, `documents` and `review` as HTML, `saveLabel` and
	 *                                      `submitLabel`.
	 */
	public static function html( array $values, string $content, string $more, array $options ): string {
		wp_enqueue_style( 'routeslip' );
		$content = self::set_kinds( $content, (array) ( $options['kinds'] ?? array() ) );
		if ( ! preg_match( '~<form\b~i', $content ) ) {
			$content = self::wrap( $content, $options );
		}
		foreach ( array( 'documents', 'review' ) as $slot ) {
			if ( ! empty( $options[ $slot ] ) ) {
				$content .= "<div slot=\"$slot\">{$options[ $slot ]}</div>";
			}
		}
		$content .= '<noscript><p>' . esc_html__( 'This form needs JavaScript.', 'routeslip' ) . '</p></noscript>';
		return Elements::html( 'wf-form', $values, $content, $more );
	}

	/**
	 * Puts content into a form with buttons. Until the script has loaded, `method="dialog"` keeps a submission from leaving the
	 * page, so nothing that was typed is lost.
	 *
	 * @param string               $content HTML of the fields.
	 * @param array<string, mixed> $options `saveLabel` and `submitLabel`.
	 */
	private static function wrap( string $content, array $options ): string {
		$id   = wp_unique_id( 'routeslip-form-' );
		$form = "<form id=\"$id\" class=\"routeslip-form\" method=\"dialog\">$content</form>";
		if ( preg_match( '~<button\b~i', $content ) ) {
			return $form;
		}
		$buttons = '';
		foreach ( array(
			'PRE_ROUTING' => $options['saveLabel'] ?? __( 'Save for later', 'routeslip' ),
			'ROUTING'     => $options['submitLabel'] ?? __( 'Submit', 'routeslip' ),
		) as $value => $label ) {
			$buttons .= sprintf( '<button class="wp-element-button" form="%s" value="%s">%s</button> ', $id, $value, esc_html( $label ) );
		}
		return "$form<p slot=\"actions\">$buttons</p>";
	}

	/**
	 * Sets the kinds of controls.
	 *
	 * @param string                $html  HTML with controls.
	 * @param array<string, string> $kinds Kind by the name of the control.
	 */
	private static function set_kinds( string $html, array $kinds ): string {
		$known = self::kinds();
		return (string) preg_replace_callback(
			self::CONTROLS,
			static function ( array $found ) use ( $kinds, $known ): string {
				list( $all, $tag, $text ) = $found;
				$attributes               = wp_kses_hair( $text, wp_allowed_protocols() );
				$kind                     = $kinds[ wp_specialchars_decode( $attributes['name']['value'] ?? '', ENT_QUOTES ) ] ?? '';
				if ( ! isset( $known[ $kind ] ) ) {
					return $all;
				}
				if ( isset( $attributes['data-kind'] ) ) {
					$text = str_replace( $attributes['data-kind']['whole'], '', $text );
				}
				return "<$tag data-kind=\"$kind\"$text>";
			},
			$html
		);
	}

	/**
	 * Returns a field as HTML.
	 *
	 * @param array<string, mixed> $field   `label`, `name`, `kind`, `hint`, `required`, `multiline`, `hidden`, and `options`: one on each line.
	 * @param string               $wrapper Attributes of the box around it as HTML.
	 */
	public static function field( array $field, string $wrapper ): string {
		$kind = isset( self::kinds()[ $field['kind'] ] ) ? $field['kind'] : 'text';
		$name = '' === trim( $field['name'] ) ? strtr( sanitize_title( $field['label'] ), '-', '_' ) : trim( $field['name'] );
		if ( '' === $name ) {
			return '';
		}
		if ( $field['hidden'] || 'no_answer' === $kind ) {
			return sprintf( '<input type="hidden" name="%s" data-kind="%s">', esc_attr( $name ), esc_attr( $kind ) );
		}
		$id         = wp_unique_id( 'routeslip-field-' );
		$hint       = '' === $field['hint'] ? '' : sprintf( '<p id="%s-hint" class="routeslip-hint">%s</p>', $id, esc_html( $field['hint'] ) );
		$attributes = sprintf( 'id="%s" name="%s"', $id, esc_attr( $name ) );
		if ( '' !== $hint ) {
			$attributes .= " aria-describedby=\"$id-hint\"";
		}
		if ( $field['required'] ) {
			$attributes .= ' required';
		}
		/* translators: %s: label of a field that people may leave empty. */
		$label = $field['required'] ? $field['label'] : sprintf( __( '%s (optional)', 'routeslip' ), $field['label'] );
		$named = sprintf( ' data-label="%s"', esc_attr( $field['label'] ) );
		return sprintf(
			'<div %s><label for="%s">%s</label>%s%s</div>',
			$wrapper,
			$id,
			esc_html( $label ),
			$hint,
			self::control( $kind, $attributes . $named, $field )
		);
	}

	/**
	 * Returns the control of a field.
	 *
	 * @param string               $kind       Its kind.
	 * @param string               $attributes Attributes as HTML.
	 * @param array<string, mixed> $field      The field.
	 */
	private static function control( string $kind, string $attributes, array $field ): string {
		if ( in_array( $kind, self::OFFICES, true ) ) {
			Page::need_script();
			return "<wf-office $attributes level=\"$kind\"></wf-office>";
		}
		$options = preg_split( '/\R/', trim( $field['options'] ), -1, PREG_SPLIT_NO_EMPTY );
		if ( array() !== $options ) {
			$items = array_map(
				static fn( string $option ): string => '<option>' . esc_html( trim( $option ) ) . '</option>',
				$options
			);
			return "<select $attributes data-kind=\"$kind\"><option value=\"\"></option>" . implode( '', $items ) . '</select>';
		}
		if ( $field['multiline'] ) {
			return "<textarea $attributes data-kind=\"$kind\" rows=\"4\"></textarea>";
		}
		return '<input ' . trim( ( self::INPUTS[ $kind ] ?? 'type="text"' ) . " $attributes" ) . " data-kind=\"$kind\">";
	}
}
