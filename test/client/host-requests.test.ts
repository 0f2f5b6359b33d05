import { expect } from '@open-wc/testing';
import { answerHostRequest, type PublishedResources } from '../../src/client/host-requests.js';
import { AhpError, RpcCode } from '../../src/protocol/errors.js';

const published: PublishedResources = {
  read: (uri) => (uri === 'virtual://me/a' ? { data: 'YQ==', encoding: 'base64' } : undefined),
  resolve: (uri) => (uri === 'virtual://me/a' ? { uri, type: 'file', size: 1 } : undefined),
};

function codeOf(method: string, uri: unknown): number | undefined {
  try {
    answerHostRequest(method, { channel: 'ahp-root://', uri }, published);
  } catch (error) {
    return error instanceof AhpError ? error.rpc?.code : undefined;
  }
  return undefined;
}

describe('answering a host', () => {
  it('gives what this client published', () => {
    const read = answerHostRequest('resourceRead', { uri: 'virtual://me/a' }, published);
    const resolved = answerHostRequest('resourceResolve', { uri: 'virtual://me/a' }, published);

    expect(read).to.deep.equal({ data: 'YQ==', encoding: 'base64' });
    expect(resolved).to.deep.equal({ uri: 'virtual://me/a', type: 'file', size: 1 });
  });

  it('answers a ping', () => {
    expect(answerHostRequest('ping', {})).to.deep.equal({});
  });

  const cases: readonly [method: string, uri: unknown, code: number][] = [
    ['resourceRead', 'virtual://me/gone', RpcCode.NotFound],
    ['resourceResolve', 'virtual://other/x', RpcCode.NotFound],
    ['resourceRead', 'file:///etc/passwd', RpcCode.PermissionDenied],
    ['resourceRead', 'https://example.org/', RpcCode.PermissionDenied],
    ['resourceRead', 7, RpcCode.InvalidParams],
    ['resourceWrite', 'virtual://me/a', RpcCode.PermissionDenied],
    ['resourceDelete', 'file:///', RpcCode.PermissionDenied],
    ['resourceRequest', 'file:///', RpcCode.PermissionDenied],
    ['createResourceWatch', 'file:///', RpcCode.PermissionDenied],
    ['x-vendor/thing', 'virtual://me/a', RpcCode.MethodNotFound],
    ['__proto__', 'virtual://me/a', RpcCode.MethodNotFound],
  ];
  for (const [method, uri, code] of cases) {
    it(`refuses ${method} of ${String(uri)} with ${code}`, () => {
      expect(codeOf(method, uri)).to.equal(code);
    });
  }
});
