<?php

declare(strict_types=1);

namespace Drupal\routeslip\Plugin\Block;

use Drupal\Core\Block\Attribute\Block;
use Drupal\Core\Block\BlockBase;
use Drupal\Core\Form\FormStateInterface;
use Drupal\Core\StringTranslation\TranslatableMarkup;

/** One element, for a region of the theme. */
#[Block(
    id: 'routeslip_element',
    admin_label: new TranslatableMarkup('Routeslip'),
    category: new TranslatableMarkup('Forms'),
)]
final class RouteslipBlock extends BlockBase
{
    private const TAGS = [
        'wf-package-status' => 'Where it stands',
        'wf-history' => 'What has happened',
        'wf-comments' => 'Comments',
        'wf-attachments' => 'Documents',
        'fs-uploader' => 'Uploads',
    ];

    public function defaultConfiguration(): array
    {
        return ['tag' => 'wf-package-status', 'form_id' => '', 'package_id' => ''];
    }

    public function blockForm($form, FormStateInterface $form_state): array
    {
        $form['tag'] = [
            '#type' => 'select',
            '#title' => $this->t('What it shows'),
            '#options' => self::TAGS,
            '#default_value' => $this->configuration['tag'],
        ];
        $form['form_id'] = [
            '#type' => 'number',
            '#title' => $this->t('Id of the form'),
            '#min' => 1,
            '#default_value' => $this->configuration['form_id'],
        ];
        $form['package_id'] = [
            '#type' => 'number',
            '#title' => $this->t('Id of the package'),
            '#min' => 1,
            '#default_value' => $this->configuration['package_id'],
        ];
        return $form;
    }

    public function blockSubmit($form, FormStateInterface $form_state): void
    {
        foreach (['tag', 'form_id', 'package_id'] as $name) {
            $this->configuration[$name] = $form_state->getValue($name);
        }
    }

    /** The same for everyone, so it can be cached: the proxy checks rights when the page sends a request. */
    public function build(): array
    {
        $attributes = [
            'endpoint' => '/api/wf',
            'form-id' => $this->configuration['form_id'],
            'package-id' => $this->configuration['package_id'],
            'time-zone' => \Drupal::config('system.date')->get('timezone.default'),
        ];
        return [
            '#type' => 'html_tag',
            '#tag' => $this->configuration['tag'],
            '#value' => '<p>' . $this->t('Ask the office where this stands.') . '</p>',
            '#attributes' => array_filter($attributes),
            '#attached' => ['library' => ['routeslip/elements']],
        ];
    }
}
