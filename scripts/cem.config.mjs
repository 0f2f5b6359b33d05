/**
 * What `custom-elements.json` says: the public face of the elements and nothing else. Paths are those of the published
 * files, so that an editor can follow them in an installed package.
 */
export default {
  globs: ['src/**/*.ts'],
  exclude: ['src/adapters/**'],
  outdir: 'dist',
  litelement: true,
  // `package.json` is ours to write.
  packagejson: false,
  plugins: [{ name: 'public-face', packageLinkPhase: keepPublicFace }],
};

function keepPublicFace({ customElementsManifest: manifest }) {
  manifest.modules = manifest.modules.filter(({ declarations = [] }) => declarations.some(isElement));
  for (const module of manifest.modules) {
    module.path = toPublished(module.path);
    module.declarations = module.declarations.filter(isElement);
    const names = new Set(module.declarations.map(({ name }) => name));
    module.exports = module.exports.filter(({ kind, name }) => kind === 'custom-element-definition' || names.has(name));
    for (const { declaration } of module.exports) {
      if (declaration.module) declaration.module = toPublished(declaration.module);
    }
    for (const element of module.declarations) {
      element.members = element.members?.filter(isPublic);
      // What is dispatched without a word about it in the class comment stays inside.
      element.events = element.events?.filter(({ description }) => description);
      element.attributes = element.attributes?.filter(({ fieldName }) => isPublicName(fieldName));
      if (element.superclass?.module) element.superclass.module = toPublished(element.superclass.module);
      for (const member of [...(element.members ?? []), ...(element.attributes ?? []), ...(element.events ?? [])]) {
        if (member.inheritedFrom?.module) member.inheritedFrom.module = toPublished(member.inheritedFrom.module);
      }
    }
  }
}

const isElement = ({ customElement, tagName }) => customElement === true && Boolean(tagName);

const isPublic = ({ name, privacy, static: isStatic }) =>
  privacy !== 'private' && privacy !== 'protected' && isPublicName(name) && !(isStatic && LIT_STATICS.has(name));

const isPublicName = (name = '') => !/^[#_]/.test(name) && !LIFECYCLE.has(name);

/** Lit's own hooks are documented by Lit. */
const LIT_STATICS = new Set(['styles', 'shadowRootOptions', 'properties']);
const LIFECYCLE = new Set([
  'createRenderRoot',
  'render',
  'willUpdate',
  'shouldUpdate',
  'update',
  'updated',
  'firstUpdated',
  'scheduleUpdate',
  'getUpdateComplete',
]);

const toPublished = (path) => path.replace(/^\/?src\/(.*)\.[tj]s$/, 'dist/$1.js');
