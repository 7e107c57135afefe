<?php
/**
 * Blocks and patterns.
 *
 * @package Routeslip
 */

namespace Routeslip;

defined( 'ABSPATH' ) || exit;

/**
 * Registers a block for each element, a block for a field of a form, and two patterns.
 */
final class Blocks {

	/** Icon of each block, by tag. */
	private const ICONS = array(
		'wf-package-status' => 'yes-alt',
		'wf-badge'          => 'tag',
		'wf-history'        => 'backup',
		'wf-comments'       => 'admin-comments',
		'wf-attachments'    => 'paperclip',
		'fs-uploader'       => 'upload',
		'fs-files'          => 'media-document',
		'fs-shares'         => 'share',
		'wf-form'           => 'feedback',
		'wf-office'         => 'building',
		'wf-route'          => 'networking',
		'wf-overrides'      => 'groups',
		'wf-context'        => 'admin-settings',
	);

	/** Elements that show a package. In a form, they appear after the first save. */
	private const NEED_PACKAGE = array( 'wf-attachments', 'wf-package-status', 'wf-badge', 'wf-history', 'wf-comments', 'wf-overrides' );

	/**
	 * Registers the blocks and the patterns.
	 */
	public static function register(): void {
		add_filter( 'block_categories_all', array( self::class, 'add_category' ) );
		wp_register_script(
			'routeslip-editor',
			plugins_url( 'assets/editor.js', PLUGIN_FILE ),
			array( 'wp-blocks', 'wp-block-editor', 'wp-components', 'wp-data', 'wp-element' ),
			VERSION,
			true
		);
		wp_register_script( 'routeslip-preview', plugins_url( 'assets/preview.js', PLUGIN_FILE ), array(), VERSION, true );
		wp_register_style( 'routeslip-editor', plugins_url( 'assets/editor.css', PLUGIN_FILE ), array(), VERSION );

		$descriptions = Elements::descriptions();
		foreach ( Elements::all() as $tag => $element ) {
			self::register_block(
				$tag,
				Elements::titles()[ $tag ] ?? $tag,
				array(
					'description'       => $descriptions[ $tag ] ?? '',
					'icon'              => self::ICONS[ $tag ] ?? 'admin-generic',
					'attributes'        => array(
						// Values by the name of the attribute, as elements.json lists them.
						'settings'    => array(
							'type'    => 'object',
							'default' => array(),
						),
						'fallback'    => array(
							'type'    => 'string',
							'default' => '',
						),
						'kinds'       => array(
							'type'    => 'object',
							'default' => array(),
						),
						'saveLabel'   => array( 'type' => 'string' ),
						'submitLabel' => array( 'type' => 'string' ),
					),
					'skip_inner_blocks' => 'wf-form' === $tag,
					'render_callback'   => static fn( array $attributes, string $content, \WP_Block $block ): string =>
						self::render( $tag, $element, $attributes, $content, $block ),
				)
			);
		}
		self::register_block(
			'field',
			__( 'Form field', 'routeslip' ),
			array(
				'description'     => __( 'A field of a request form.', 'routeslip' ),
				'icon'            => 'edit-large',
				'ancestor'        => array( 'routeslip/wf-form' ),
				'attributes'      => self::field_attributes(),
				'render_callback' => static fn( array $attributes ): string =>
					Form::field( $attributes, get_block_wrapper_attributes( array( 'class' => 'routeslip-field' ) ) ),
			)
		);
		self::register_patterns();
	}

	/**
	 * Registers a block.
	 *
	 * @param string               $name    Name without its namespace.
	 * @param string               $title   Title in the editor.
	 * @param array<string, mixed> $options Further options.
	 */
	private static function register_block( string $name, string $title, array $options ): void {
		register_block_type(
			"routeslip/$name",
			array_merge(
				array(
					'api_version'           => 2,
					'title'                 => $title,
					'category'              => 'routeslip',
					'supports'              => array(
						'html'   => false,
						'align'  => array( 'wide', 'full' ),
						'anchor' => true,
					),
					'editor_script_handles' => array( 'routeslip-editor' ),
					'editor_style_handles'  => array( 'routeslip-editor' ),
					// Also runs in the frame that some editors show blocks in.
					'script_handles'        => is_admin() ? array( 'routeslip-preview' ) : array(),
				),
				$options
			)
		);
	}

	/**
	 * Returns the attributes of the block for a field.
	 *
	 * @return array<string, array>
	 */
	private static function field_attributes(): array {
		$text = array(
			'type'    => 'string',
			'default' => '',
		);
		$flag = array(
			'type'    => 'boolean',
			'default' => false,
		);
		return array(
			'label'     => $text,
			'name'      => $text,
			'kind'      => array(
				'type'    => 'string',
				'default' => 'text',
			),
			'hint'      => $text,
			'options'   => $text,
			'required'  => $flag,
			'multiline' => $flag,
			'hidden'    => $flag,
		);
	}

	/**
	 * Returns the HTML of a block.
	 *
	 * @param string               $tag        Tag of the element.
	 * @param array<string, mixed> $element    Its entry in elements.json.
	 * @param array<string, mixed> $attributes Attributes of the block.
	 * @param string               $content    HTML of the blocks inside it.
	 * @param \WP_Block            $block      The block.
	 */
	private static function render( string $tag, array $element, array $attributes, string $content, \WP_Block $block ): string {
		$values = (array) $attributes['settings'];
		$more   = get_block_wrapper_attributes();
		if ( 'wf-form' === $tag ) {
			return self::render_form( $values, $attributes, $block, $more );
		}
		if ( ! $element['isContainer'] ) {
			$content = '' === $attributes['fallback'] ? '' : '<p>' . esc_html( $attributes['fallback'] ) . '</p>';
		}
		return Elements::html( $tag, $values, $content, $more );
	}

	/**
	 * Returns the HTML of a form. Elements that need a package, and those for the review, go into their slots.
	 *
	 * @param array<string, mixed> $values     Values of the attributes of the element.
	 * @param array<string, mixed> $attributes Attributes of the block.
	 * @param \WP_Block            $block      The block.
	 * @param string               $more       Further attributes of the element as HTML.
	 */
	private static function render_form( array $values, array $attributes, \WP_Block $block, string $more ): string {
		$parts = array(
			'form'      => '',
			'documents' => '',
			'review'    => '',
		);
		foreach ( $block->inner_blocks as $inner ) {
			$tag  = str_replace( 'routeslip/', '', $inner->name );
			$slot = 'form';
			if ( in_array( $tag, self::NEED_PACKAGE, true ) ) {
				$slot = 'documents';
			} elseif ( 'wf-route' === $tag && ! empty( $values['review'] ) ) {
				$slot = 'review';
			}
			$parts[ $slot ] .= $inner->render();
		}
		$labels = array_filter( array_intersect_key( $attributes, array_flip( array( 'saveLabel', 'submitLabel' ) ) ) );
		return Form::html( $values, $parts['form'], $more, $labels + $parts + array( 'kinds' => (array) $attributes['kinds'] ) );
	}

	/**
	 * Adds the category of the blocks.
	 *
	 * @param array<int, array> $categories The categories.
	 * @return array<int, array>
	 */
	public static function add_category( array $categories ): array {
		$categories[] = array(
			'slug'  => 'routeslip',
			'title' => __( 'Requests', 'routeslip' ),
		);
		return $categories;
	}

	/**
	 * Gives the editor what its sidebar and its previews need.
	 */
	public static function enqueue_editor(): void {
		wp_enqueue_script( 'routeslip-preview' );
		$forms = array();
		foreach ( Settings::get( 'forms' ) as $id => $title ) {
			$forms[] = array(
				'value' => (string) $id,
				'label' => trim( "$title ($id)" ),
			);
		}
		$data = array(
			'elements' => Elements::all(),
			'labels'   => Elements::labels(),
			'helps'    => Elements::helps(),
			'example'  => Router::endpoint() . '/example',
			'forms'    => $forms,
			'kinds'    => Form::kinds(),
			'texts'    => self::texts(),
		);
		wp_add_inline_script( 'routeslip-editor', 'window.routeslipEditor = ' . wp_json_encode( $data, JSON_HEX_TAG ) . ';', 'before' );
	}

	/**
	 * Returns the texts of the editor.
	 *
	 * @return array<string, string>
	 */
	private static function texts(): array {
		return array(
			'settings'     => __( 'Settings', 'routeslip' ),
			'more'         => __( 'More settings', 'routeslip' ),
			'example'      => __( 'Example data', 'routeslip' ),
			'fallback'     => __( 'Text without JavaScript', 'routeslip' ),
			'fallbackHelp' => __( 'Shown until the script has loaded, and if it never loads.', 'routeslip' ),
			'fromSettings' => __( 'Default of the site', 'routeslip' ),
			'notSet'       => __( 'Not set', 'routeslip' ),
			'fields'       => __( 'Fields in HTML', 'routeslip' ),
			'fieldsHelp'   => __( 'The kind of each field that your HTML contains.', 'routeslip' ),
			'noFields'     => __( 'The HTML in this form contains no fields.', 'routeslip' ),
			'fromType'     => __( 'Determined by its type', 'routeslip' ),
			'field'        => __( 'Field', 'routeslip' ),
			'label'        => __( 'Label', 'routeslip' ),
			'name'         => __( 'Natural key', 'routeslip' ),
			'nameHelp'     => __( 'The key of this field in the routing service.', 'routeslip' ),
			'kind'         => __( 'Kind', 'routeslip' ),
			'hint'         => __( 'Hint', 'routeslip' ),
			'required'     => __( 'Required', 'routeslip' ),
			'multiline'    => __( 'Several lines', 'routeslip' ),
			'hidden'       => __( 'Hidden: the request leaves it empty', 'routeslip' ),
			'options'      => __( 'Choices', 'routeslip' ),
			'optionsHelp'  => __( 'One on each line. With choices, the field is a list.', 'routeslip' ),
			'buttons'      => __( 'Buttons', 'routeslip' ),
			'saveLabel'    => __( 'Text of the button that saves', 'routeslip' ),
			'submitLabel'  => __( 'Text of the button that submits', 'routeslip' ),
			'save'         => __( 'Save for later', 'routeslip' ),
			'submit'       => __( 'Submit', 'routeslip' ),
			'noLabel'      => __( 'Enter a label in the sidebar.', 'routeslip' ),
			/* translators: %s: label of a field that people may leave empty. */
			'optional'     => __( '%s (optional)', 'routeslip' ),
		);
	}

	/**
	 * Registers the patterns.
	 */
	private static function register_patterns(): void {
		register_block_pattern_category( 'routeslip', array( 'label' => __( 'Requests', 'routeslip' ) ) );
		$block   = static fn( string $tag, array $settings = array() ): string =>
			sprintf( "<!-- wp:routeslip/%s %s/-->\n", $tag, $settings ? wp_json_encode( array( 'settings' => $settings ) ) . ' ' : '' );
		$heading = static fn( string $text ): string =>
			sprintf( "<!-- wp:heading -->\n<h2 class=\"wp-block-heading\">%s</h2>\n<!-- /wp:heading -->\n", esc_html( $text ) );
		register_block_pattern(
			'routeslip/request-page',
			array(
				'title'      => __( 'Request page', 'routeslip' ),
				'categories' => array( 'routeslip' ),
				'content'    => $block( 'wf-package-status' )
					. $heading( __( 'Who has to approve', 'routeslip' ) ) . $block( 'wf-route' )
					. $heading( __( 'History', 'routeslip' ) ) . $block( 'wf-history' )
					. $heading( __( 'Comments', 'routeslip' ) ) . $block( 'wf-comments' )
					. $heading( __( 'Documents', 'routeslip' ) ) . $block( 'wf-attachments' )
					. $heading( __( 'Working files', 'routeslip' ) ) . $block( 'fs-uploader' ),
			)
		);
		$field   = static fn( string $label, string $name, string $kind ): string => sprintf(
			"<!-- wp:routeslip/field %s /-->\n",
			wp_json_encode(
				array(
					'label'    => $label,
					'name'     => $name,
					'kind'     => $kind,
					'required' => true,
				)
			)
		);
		register_block_pattern(
			'routeslip/request-form',
			array(
				'title'      => __( 'Request form', 'routeslip' ),
				'categories' => array( 'routeslip' ),
				'content'    => "<!-- wp:routeslip/wf-form {\"settings\":{\"autosave\":true}} -->\n"
					. $field( __( 'Purpose', 'routeslip' ), 'purpose', 'text' )
					. $field( __( 'Departure', 'routeslip' ), 'departure', 'date' )
					. $field( __( 'Cost', 'routeslip' ), 'cost', 'currency' )
					. $block( 'wf-attachments' )
					. "<!-- /wp:routeslip/wf-form -->\n",
			)
		);
	}
}
