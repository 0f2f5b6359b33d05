import { expect } from '@open-wc/testing';
import { listProtectedResources } from '../../src/channels/protected-resources.js';
import { testAgent } from '../helpers/scripted-host.js';

const server = (kind: string, resource?: string) => ({
  type: 'mcpServer',
  name: 'm',
  state: { kind, ...(resource === undefined ? {} : { resource: { resource } }) },
});

describe('the resources a host protects', () => {
  it('are those of its agents, and of servers that wait for a token, wherever they are nested', () => {
    const agent = {
      ...testAgent,
      protectedResources: [{ resource: 'a' }, { resource: 'optional', required: false }],
      customizations: [{ type: 'plugin', name: 'p', children: [server('authRequired', 'b')] }],
    };

    const resources = listProtectedResources([agent], [server('authRequired', 'c'), server('authRequired', 'a')]);

    expect([...resources]).to.deep.equal(['a', 'optional', 'b', 'c']);
  });

  it('are none of servers that wait for nothing', () => {
    const servers = [server('ready', 'a'), server('authRequired'), { type: 'mcpServer', name: 'n' }];

    expect([...listProtectedResources([testAgent], servers)]).to.deep.equal([]);
    expect([...listProtectedResources()]).to.deep.equal([]);
  });
});
