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
	 * Returns the attributes and the kind of content of each element, by tag.
	 *
	 * @return array<string, array{isContainer: bool, attributes: array<string, array>}>
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
			'wf-badge'          => __( 'Request status badge', 'routeslip' ),
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
	 * Returns a sentence about each element for the editor, by tag.
	 *
	 * @return array<string, string>
	 */
	public static function descriptions(): array {
		return array(
			'wf-package-status' => __( 'Shows the state of a request, who it waits for, and what people can do with it.', 'routeslip' ),
			'wf-badge'          => __( 'Shows the state of a request as one word, for tables and lists.', 'routeslip' ),
			'wf-history'        => __( 'Shows the route of a request as a timeline.', 'routeslip' ),
			'wf-comments'       => __( 'Shows the comments on a request, oldest first.', 'routeslip' ),
			'wf-attachments'    => __( 'Shows the documents of a request as a checklist.', 'routeslip' ),
			'fs-uploader'       => __( 'Uploads files, shows their progress, and lists the stored files.', 'routeslip' ),
			'fs-files'          => __( 'Lists stored files, and lets people open, download, change and delete them.', 'routeslip' ),
			'fs-shares'         => __( 'Lists the applications that files are shared with, and lets people change that.', 'routeslip' ),
			'wf-form'           => __( 'Turns the fields inside it into a request.', 'routeslip' ),
			'wf-office'         => __( 'A form field for an office.', 'routeslip' ),
			'wf-route'          => __( 'Shows who will have to approve a request.', 'routeslip' ),
			'wf-overrides'      => __( 'Shows who is replaced because of a conflict of interest, and lets people change that if the policy allows it.', 'routeslip' ),
			'wf-context'        => __( 'Sets the form, the package and more for all blocks inside it.', 'routeslip' ),
		);
	}

	/**
	 * Returns the label of each attribute in the sidebar of the editor, by name. Where it means something else in one element,
	 * also by tag and name.
	 *
	 * @return array<string, string>
	 */
	public static function labels(): array {
		return array(
			'accept'        => __( 'Accepted files', 'routeslip' ),
			'autosave'      => __( 'Save automatically', 'routeslip' ),
			'copy-from'     => __( 'Earlier request', 'routeslip' ),
			'details-name'  => __( 'Field with the details', 'routeslip' ),
			'disabled'      => __( 'Disabled', 'routeslip' ),
			'draft-url'     => __( 'Page of the draft', 'routeslip' ),
			'edit-url'      => __( 'Editing page', 'routeslip' ),
			'expires-in'    => __( 'Available for', 'routeslip' ),
			'file'          => __( 'File ID', 'routeslip' ),
			'filename'      => __( 'File name', 'routeslip' ),
			'files'         => __( 'File IDs', 'routeslip' ),
			'folder'        => __( 'Accept folders', 'routeslip' ),
			'for'           => __( 'ID of the upload', 'routeslip' ),
			'form-id'       => __( 'Form ID', 'routeslip' ),
			'future'        => __( 'Events to come', 'routeslip' ),
			'grantees'      => __( 'Applications', 'routeslip' ),
			'history'       => __( 'Events', 'routeslip' ),
			'level'         => __( 'Level', 'routeslip' ),
			'max-files'     => __( 'Maximum number of files', 'routeslip' ),
			'max-size'      => __( 'Maximum size in bytes', 'routeslip' ),
			'metadata'      => __( 'Metadata', 'routeslip' ),
			'name'          => __( 'Field name', 'routeslip' ),
			'notify'        => __( 'Email about changes', 'routeslip' ),
			'office'        => __( 'Office number', 'routeslip' ),
			'office-name'   => __( 'Field with the office', 'routeslip' ),
			'package-id'    => __( 'Package ID', 'routeslip' ),
			'page-size'     => __( 'Shares per page', 'routeslip' ),
			'readonly'      => __( 'Read-only', 'routeslip' ),
			'require'       => __( 'Required documents', 'routeslip' ),
			'required'      => __( 'Required', 'routeslip' ),
			'resubmit-url'  => __( 'Page for returned requests', 'routeslip' ),
			'review'        => __( 'Review before submitting', 'routeslip' ),
			'sign-in-url'   => __( 'Sign-in page', 'routeslip' ),
			'sign-url'      => __( 'Signing page', 'routeslip' ),
			'sub-type'      => __( 'Sub-type', 'routeslip' ),
			'sub-type-name' => __( 'Field with the sub-type', 'routeslip' ),
			'success-url'   => __( 'Page after submission', 'routeslip' ),
			'summary-name'  => __( 'Field with the summary', 'routeslip' ),
			'time-zone'     => __( 'Time zone', 'routeslip' ),
			'value'         => __( 'Initial value', 'routeslip' ),
			'within'        => __( 'Offices within', 'routeslip' ),
			'wf-route for'  => __( 'ID of the office field', 'routeslip' ),
		);
	}

	/**
	 * Returns a sentence about each attribute for the sidebar of the editor, by name. Where it means something else in one
	 * element, also by tag and name.
	 *
	 * @return array<string, string>
	 */
	public static function helps(): array {
		return array(
			'accept'          => __( 'Extensions and media types, such as .pdf, image/*. Empty: any file.', 'routeslip' ),
			'autosave'        => __( 'Saves a draft one second after each change.', 'routeslip' ),
			'copy-from'       => __( 'Number of an earlier request from which a new one is filled in.', 'routeslip' ),
			'details-name'    => __( 'Name of the field whose text is part of the emails to approvers.', 'routeslip' ),
			'disabled'        => __( 'People can see the content, but not change it.', 'routeslip' ),
			'draft-url'       => __( 'Address of the page where people edit the request. It may contain {formId} and {packageId}.', 'routeslip' ),
			'edit-url'        => __( 'Address of the page where people edit the request. It may contain {formId} and {packageId}.', 'routeslip' ),
			'expires-in'      => __( 'How long stored files are kept, such as 30d or 12h. Empty: the service decides.', 'routeslip' ),
			'file'            => __( 'The block shows who this file is shared with. Empty: all files.', 'routeslip' ),
			'filename'        => __( 'Name under which a file is stored, instead of its own.', 'routeslip' ),
			'files'           => __( 'IDs of the files that people can share, separated by spaces.', 'routeslip' ),
			'folder'          => __( 'People can also choose or drop folders.', 'routeslip' ),
			'for'             => __( 'HTML ID of the upload whose files are listed.', 'routeslip' ),
			'form-id'         => __( 'Number of the form in the routing service.', 'routeslip' ),
			'future'          => __( 'Events to come as JSON, in the format of the service.', 'routeslip' ),
			'grantees'        => __( 'Client ID and name of each application that files can be shared with, as JSON.', 'routeslip' ),
			'history'         => __( 'Events as JSON, instead of those of the service.', 'routeslip' ),
			'level'           => __( 'Only offices of this level can be chosen: org, department or sub_department.', 'routeslip' ),
			'max-files'       => __( 'Empty: any number of files.', 'routeslip' ),
			'max-size'        => __( 'Empty: only the limit of the proxy applies.', 'routeslip' ),
			'metadata'        => __( 'Short texts that are stored with each file, as JSON.', 'routeslip' ),
			'name'            => __( 'Name under which the form sends the value.', 'routeslip' ),
			'notify'          => __( 'Whether approvers get an email if a request in routing is changed.', 'routeslip' ),
			'office'          => __( 'Number of the office whose route is shown, such as 11-0420.', 'routeslip' ),
			'office-name'     => __( 'Name of the field that contains the number of the office.', 'routeslip' ),
			'package-id'      => __( 'Leave this empty to show the package in the address of the page.', 'routeslip' ),
			'page-size'       => __( 'How many shares are shown at once.', 'routeslip' ),
			'readonly'        => __( 'People can read the value, but not change it.', 'routeslip' ),
			'require'         => __( 'Documents that the form waits for. routing: those required before routing. completion: also those required at the end.', 'routeslip' ),
			'required'        => __( 'The form cannot be submitted without it.', 'routeslip' ),
			'resubmit-url'    => __( 'Address of the page of the service where people submit a returned request again.', 'routeslip' ),
			'review'          => __( 'People check their answers before they submit them.', 'routeslip' ),
			'sign-in-url'     => __( 'Address of the page where people sign in. {returnUrl} stands for the address of this page.', 'routeslip' ),
			'sign-url'        => __( 'Address of the page where people sign. It may contain {formId}, {packageId} and {signatureId}.', 'routeslip' ),
			'sub-type'        => __( 'Only for forms that have sub-types.', 'routeslip' ),
			'sub-type-name'   => __( 'Name of the field that contains the sub-type.', 'routeslip' ),
			'success-url'     => __( 'Address of the page that follows. Empty: people stay on this page.', 'routeslip' ),
			'summary-name'    => __( 'Name of the field whose text is part of the email about a change.', 'routeslip' ),
			'time-zone'       => __( 'Time zone of the institution, such as America/Chicago.', 'routeslip' ),
			'value'           => __( 'IDs of the files that are shown at first, separated by spaces.', 'routeslip' ),
			'within'          => __( 'Key of an office whose offices are listed before people type.', 'routeslip' ),
			'wf-office value' => __( 'Key of the office that is shown at first.', 'routeslip' ),
			'wf-route for'    => __( 'HTML ID of the field that contains the number of the office.', 'routeslip' ),
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
