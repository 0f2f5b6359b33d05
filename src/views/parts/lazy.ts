/** Parts of the views that are loaded when they are first needed. This is the only place that names them. */

/** Loads `module` once. A load that fails gives nothing and is tried again the next time; it never throws. */
function lazily<Module>(load: () => Promise<Module>): () => Promise<Module | undefined> {
  let loading: Promise<Module | undefined> | undefined;
  return () => {
    loading ??= load().catch(() => {
      // The network, or a page that has been deployed anew: the caller keeps its plain form.
      loading = undefined;
      return undefined;
    });
    return loading;
  };
}

export const loadHighlight = lazily(() => import('./highlight.js'));
