<?php
/**
 * Colors of the theme.
 *
 * @package Routeslip
 */

namespace Routeslip;

defined( 'ABSPATH' ) || exit;

/**
 * Maps colors of the theme's palette to the tokens of the elements, and computes their contrast (WCAG 2.2).
 */
final class Colors {

	/** Pairs of a foreground and a background, with the contrast that they need. */
	private const PAIRS = array(
		array( 'on_accent', 'accent', 4.5 ),
		array( 'text', 'surface', 4.5 ),
		array( 'accent', 'surface', 4.5 ),
		array( 'line', 'surface', 3.0 ),
	);

	/**
	 * Returns the colors of the theme: name and hexadecimal value, by slug.
	 *
	 * @return array<string, array{name: string, color: string}>
	 */
	public static function palette(): array {
		$found  = array();
		$groups = (array) ( wp_get_global_settings( array( 'color', 'palette' ) ) ?? array() );
		foreach ( array( 'default', 'theme', 'custom' ) as $origin ) {
			// If the theme has colors of its own, those of WordPress are not on offer.
			if ( 'default' === $origin && ! empty( $groups['theme'] ) ) {
				continue;
			}
			foreach ( (array) ( $groups[ $origin ] ?? array() ) as $entry ) {
				$color = sanitize_hex_color( $entry['color'] ?? '' );
				if ( $color ) {
					$found[ (string) $entry['slug'] ] = array(
						'name'  => (string) $entry['name'],
						'color' => $color,
					);
				}
			}
		}
		return $found;
	}

	/**
	 * Returns the style sheet of a site; an empty text if no colors are chosen.
	 *
	 * @param array<string, string> $chosen Slug by token.
	 */
	public static function style_sheet( array $chosen ): string {
		$palette = self::palette();
		$lines   = '';
		foreach ( Settings::TOKENS as $token => $property ) {
			$slug = $chosen[ $token ] ?? '';
			if ( isset( $palette[ $slug ] ) ) {
				// A change of the theme's colors takes effect at once. The value applies if a policy blocks the styles of the theme.
				$lines .= sprintf( "\t%s: var(--wp--preset--color--%s, %s);\n", $property, $slug, $palette[ $slug ]['color'] );
			}
		}
		return '' === $lines ? '' : ":root {\n$lines}\n";
	}

	/**
	 * Returns the pairs of colors whose contrast is too low: the tokens of both, the contrast, and what it has to be.
	 *
	 * @param array<string, string> $chosen Slug by token.
	 * @return array<int, array{0: string, 1: string, 2: float, 3: float}>
	 */
	public static function problems( array $chosen ): array {
		$palette  = self::palette();
		$defaults = Elements::light_colors();
		$color    = static fn( string $token ): ?string =>
			$palette[ $chosen[ $token ] ?? '' ]['color'] ?? $defaults[ Settings::TOKENS[ $token ] ] ?? null;
		$found    = array();
		foreach ( self::PAIRS as list( $front, $back, $needed ) ) {
			$colors = array( $color( $front ), $color( $back ) );
			// Borders without a color of their own depend on the text around them.
			if ( in_array( null, $colors, true ) || ! array_intersect_key( $chosen, array_flip( array( $front, $back ) ) ) ) {
				continue;
			}
			$contrast = self::contrast( ...$colors );
			if ( $contrast < $needed ) {
				$found[] = array( $front, $back, $contrast, $needed );
			}
		}
		return $found;
	}

	/**
	 * Returns the contrast of two colors: from 1 to 21 (WCAG 2.2, "contrast ratio").
	 *
	 * @param string $one   Hexadecimal value, such as #fff or #1b5fa8.
	 * @param string $other Another one.
	 */
	public static function contrast( string $one, string $other ): float {
		$lights = array( self::luminance( $one ), self::luminance( $other ) );
		return ( max( $lights ) + 0.05 ) / ( min( $lights ) + 0.05 );
	}

	/**
	 * Returns the relative luminance of a color: from 0 to 1 (WCAG 2.2, "relative luminance").
	 *
	 * @param string $color Hexadecimal value.
	 */
	private static function luminance( string $color ): float {
		$digits = ltrim( $color, '#' );
		if ( strlen( $digits ) === 3 ) {
			$digits = preg_replace( '/./', '$0$0', $digits );
		}
		$parts = array_map(
			static function ( string $pair ): float {
				$value = hexdec( $pair ) / 255;
				return $value <= 0.04045 ? $value / 12.92 : ( ( $value + 0.055 ) / 1.055 ) ** 2.4;
			},
			str_split( $digits, 2 )
		);
		return 0.2126 * $parts[0] + 0.7152 * $parts[1] + 0.0722 * $parts[2];
	}
}
