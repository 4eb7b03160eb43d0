/**
 * Templates hold page shapes and no logic; everything that enters them is text that is already safe where it lands.
 */
import { present } from '../base/invariant.ts';
import type { Host } from '../host/host.ts';
import type { TemplateDelegate } from 'handlebars';

type TemplateName = 'interface' | 'goal' | 'kernel' | 'property-test';

/** Renders a template; the files are in `templates/` of the installed package. */
export type Render = (name: TemplateName, view: object) => string;

/** Loads handlebars and the templates once. Rejects when the installation is incomplete. */
export async function loadTemplates(host: Host, folder: string): Promise<Render> {
  const names: readonly TemplateName[] = ['interface', 'goal', 'kernel', 'property-test'];
  const compiled = new Map<TemplateName, TemplateDelegate<object>>();
  for (const name of names) compiled.set(name, await loadTemplate(host, `${folder}/${name}.hbs`));
  return (name, view) => present(compiled.get(name), 'every template is loaded')(view);
}

/** One template. Rejects when the installation is incomplete. */
export async function loadTemplate(host: Host, path: string): Promise<TemplateDelegate<object>> {
  const { default: handlebars } = await import('handlebars');
  const text = await host.readText(path);
  if (!text.ok) throw new Error(`the template ${text.error.path} ${text.error.message}`);
  // TypeScript and YAML are not HTML: escaping would write &lt; into types. The views make every value safe themselves.
  return handlebars.compile(text.value, { noEscape: true, strict: true, assumeObjects: true });
}
