/**
 * A failed comparison of elements says which they are. The runner would otherwise write down all that hangs on them, and
 * their circles end the whole run without a word.
 */
import chai from '@esm-bundle/chai';

const toWords = (value) => {
  if (Array.isArray(value)) return value.map(toWords);
  return value instanceof Element ? new XMLSerializer().serializeToString(value.cloneNode()) : value;
};

chai.use(({ Assertion }, { flag }) => {
  const { assert } = Assertion.prototype;
  Assertion.prototype.assert = function (isTrue, message, negated, expected, actual = this._obj, ...more) {
    if (Boolean(isTrue) !== Boolean(flag(this, 'negate'))) return;
    assert.call(this, isTrue, message, negated, toWords(expected), toWords(actual), ...more);
  };
});
