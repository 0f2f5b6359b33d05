import { expect } from '@open-wc/testing';
import { ResourceReader } from '../../src/client/resource-reader.js';
import type { ContentEncoding, ResourceReadResult } from '../../src/protocol/commands.js';
import { AhpError, RpcCode } from '../../src/protocol/errors.js';

const refused = (code: number, data?: unknown) => new AhpError('rpc', 'No.', { rpc: { code, message: 'No.', data } });
const MiB = 1024 * 1024;

/** Answers with what it is given, one after the other; the last one stays. */
function setup(...answers: (string | AhpError)[]) {
  const asked: { uri: string; encoding: ContentEncoding | undefined }[] = [];
  const reader = new ResourceReader(async (uri, encoding): Promise<ResourceReadResult> => {
    asked.push({ uri, encoding });
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    if (answer instanceof AhpError) throw answer;
    return { data: answer, encoding: encoding ?? 'utf-8' };
  });
  return { reader, asked };
}

const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as AhpError,
  );

describe('reading a resource', () => {
  const encodings: readonly [contentType: string | undefined, encoding: ContentEncoding | undefined][] = [
    ['text/x-typescript', 'utf-8'],
    ['application/json; charset=utf-8', 'utf-8'],
    ['image/svg+xml', 'utf-8'],
    ['image/png', 'base64'],
    ['application/octet-stream', 'base64'],
    [undefined, undefined],
  ];
  for (const [contentType, encoding] of encodings) {
    it(`asks for ${contentType ?? 'an unknown type'} as ${encoding ?? 'the host likes'}`, async () => {
      const { reader, asked } = setup('x');

      await reader.read({ uri: 'r:/a', ...(contentType !== undefined && { contentType }) });

      expect(asked[0]!.encoding).to.equal(encoding);
    });
  }

  it('remembers a version by its nonce, and never what has none', async () => {
    const { reader, asked } = setup('x');

    for (const nonce of ['1', '1', '2']) await reader.read({ uri: 'r:/a', nonce });
    expect(asked).to.have.length(2);
    await reader.read({ uri: 'r:/a' });
    await reader.read({ uri: 'r:/a' });

    expect(asked).to.have.length(4);
  });

  it('does not mistake one pair of address and version for another', async () => {
    const { reader, asked } = setup('x');

    await reader.read({ uri: 'r:/a', nonce: 'b c' });
    await reader.read({ uri: 'r:/a b', nonce: 'c' });

    expect(asked).to.have.length(2);
  });

  it('keeps at most 32 MiB, the last used longest', async () => {
    const { reader, asked } = setup('x'.repeat(8 * MiB));
    for (const nonce of ['1', '2', '3', '4']) await reader.read({ uri: 'r:/a', nonce });
    await reader.read({ uri: 'r:/a', nonce: '1' });
    await reader.read({ uri: 'r:/a', nonce: '5' });
    expect(asked).to.have.length(5);

    await reader.read({ uri: 'r:/a', nonce: '1' });
    expect(asked).to.have.length(5);
    await reader.read({ uri: 'r:/a', nonce: '2' });
    expect(asked).to.have.length(6);
  });

  it('does not ask for more than 8 MiB, and does not hand out more', async () => {
    const { reader, asked } = setup('x'.repeat(8 * MiB + 1));

    const announced = await errorOf(reader.read({ uri: 'r:/a', sizeHint: 9 * MiB }));
    expect(asked).to.have.length(0);
    const sent = await errorOf(reader.read({ uri: 'r:/a' }));

    expect(announced?.message)
      .to.include(`${9 * MiB} bytes`)
      .and.to.include(`${8 * MiB}`);
    expect(sent?.code).to.equal('frame-too-large');
  });

  it('tries once more after an internal error or silence', async () => {
    for (const first of [refused(RpcCode.InternalError), new AhpError('timeout', 'Silence.')]) {
      const { reader, asked } = setup(first, 'x');

      expect((await reader.read({ uri: 'r:/a' })).data).to.equal('x');
      expect(asked).to.have.length(2);
    }
  });

  it('gives up after the second failure, and at once where asking again is no use', async () => {
    const again = setup(refused(RpcCode.InternalError));
    expect((await errorOf(again.reader.read({ uri: 'r:/a' })))?.rpc?.code).to.equal(RpcCode.InternalError);
    expect(again.asked).to.have.length(2);

    const denied = setup(refused(RpcCode.PermissionDenied, { request: { uri: 'r:/a' } }));
    const error = await errorOf(denied.reader.read({ uri: 'r:/a' }));
    expect(error?.rpc?.data).to.deep.equal({ request: { uri: 'r:/a' } });
    expect(denied.asked).to.have.length(1);
  });
});
