/** Opens a page module in a frame, and waits for what it tells; see `framed-page.ts`. */

/** `module` is an address of this server. The frame is gone when this resolves. */
export async function openFramed<Report>(
  module: string | URL,
  { isStrict = true, params = {} }: { isStrict?: boolean; params?: Readonly<Record<string, string>> } = {},
): Promise<Report> {
  const frame = document.createElement('iframe');
  frame.style.cssText = 'inline-size: 720px; block-size: 700px';
  const reported = new Promise<Report & { readonly failed?: string }>((resolve) => {
    const listen = ({ source, data }: MessageEvent<Report & { readonly failed?: string }>) => {
      if (source !== frame.contentWindow) return;
      removeEventListener('message', listen);
      resolve(data);
    };
    addEventListener('message', listen);
  });
  const address = new URL(isStrict ? './strict.html' : './open.html', import.meta.url);
  address.search = String(new URLSearchParams({ ...params, module: new URL(module).pathname }));
  frame.src = address.href;
  document.body.append(frame);
  const report = await reported;
  frame.remove();
  if (report.failed !== undefined) throw new Error(`The page ${module} could not be loaded: ${report.failed}`);
  return report;
}
