/** Where the `model` agent finds its model: environment variables only. The key goes to that endpoint and nowhere else. */

export interface ModelConfig {
  readonly baseUrl: string;
  /** Absent for endpoints that want none. */
  readonly key?: string;
  /** Names as the endpoint knows them; the first is the default. */
  readonly models: readonly [string, ...string[]];
}

const officialUrl = 'https://api.openai.com/v1';

/**
 * Reads `AHP_MODEL_URL`, `AHP_MODEL_KEY` and `AHP_MODEL` (several names with commas), or the `OPENAI_…` variables of the
 * same meaning. `undefined` when nothing is set. Throws when something is missing or wrong.
 */
export function readModelConfig(env: Readonly<Record<string, string | undefined>>): ModelConfig | undefined {
  const url = env.AHP_MODEL_URL || env.OPENAI_BASE_URL;
  const key = env.AHP_MODEL_KEY || env.OPENAI_API_KEY;
  const names = env.AHP_MODEL || env.OPENAI_MODEL;
  if (!url && !key) return undefined;
  const [first, ...others] = (names ?? '').split(',').flatMap((name) => name.trim() || []);
  if (first === undefined) throw new Error('A model endpoint is set, and AHP_MODEL does not say which model to use.');
  const baseUrl = url ?? officialUrl;
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new Error('AHP_MODEL_URL is not an http address.');
  }
  return { baseUrl, models: [first, ...others], ...(key && { key }) };
}
