import { describe, expect, it } from '@jest/globals';
import { PatternSyntaxError } from './parse-pattern.ts';
import { PatternSet } from './pattern-set.ts';

function spans(source: string, text: string, ignoreCase = false): string[] {
  return new PatternSet([{ source, ignoreCase }]).scan(text).map(({ start, end }) => text.slice(start, end));
}

describe('the pattern syntax', () => {
  it.each([
    ['a.c', 'abc a\nc a\u2028c', ['abc', 'a\u2028c']],
    ['[a-c\\]-]+', 'xab]-cx', ['ab]-c']],
    ['[^\\W\\d_]+', 'ab1_C é', ['ab', 'C']],
    ['[\\d.]{2,}', '1.5 7 10', ['1.5', '10']],
    ['\\x41\\u00e9\\t', 'A\u00e9\t', ['A\u00e9\t']],
    ['\\(\\{\\}\\[\\]\\|\\/', '({}[]|/', ['({}[]|/']],
    ['\\s+', 'a\u00a0\u3000\ufeffb', ['\u00a0\u3000\ufeff']],
    ['(a|b)(?:c|)d', 'acd bd cd', ['acd', 'bd']],
    ['prea|preb|pre|x', 'preb prea pre x', ['preb', 'prea', 'pre', 'x']],
    ['(?:\\b|x)y', 'y xy ay', ['y', 'xy']],
    ['a{3}', 'aaaaaaa', ['aaa', 'aaa']],
    ['a{2,}b?', 'aaab a aa', ['aaab', 'aa']],
    ['^a|b$', 'ab ab', ['a', 'b']],
    ['\\Ba\\B', 'bab a', ['a']],
    ['é+', 'ééÉ', ['éé']],
    ['\ud83d\ude00', 'a😀', ['😀']],
    ['[0-9A-F]{1,300}x', `${'7'.repeat(301)}x`, [`${'7'.repeat(300)}x`]],
    ['a\\bb', 'ab a b', []],
    ['(?i)ab|c', 'AB aB C', ['AB', 'aB', 'C']],
    ['(?i:a)b', 'Ab AB', ['Ab']],
    ['(?:(?i)a)a', 'Aa AA', ['Aa']],
    ['(?i)a(?-i)b', 'Ab AB', ['Ab']],
    ['(?s)a.c(?-s).', 'a\nc\n a\ncx', ['a\ncx']],
    ['(?<first>a)(?P<second>b)', 'ab', ['ab']],
    ['\\p{Lu}\\pL+', 'Élan élan', ['Élan']],
    ['[\\p{Greek}-]+', 'α-ω a', ['α-ω']],
    ['\\P{Script=Latin}+', 'a12é', ['12']],
    ['\\Aa|b\\z', 'ab ab', ['a', 'b']],
  ])('%s finds the expected matches in %j', (source, text, found) => {
    expect(spans(source, text)).toEqual(found);
  });

  it('ignores case as RegExp does, inside negated classes too', () => {
    expect(spans('straSSe', 'STRASSE Straſse', true)).toEqual(['STRASSE']);
    expect(spans('[^a-y]+', 'aAzZé', true)).toEqual(['zZé']);
    expect(spans('ÉΣ', 'éς ÉΣ éσ', true)).toEqual(['éς', 'ÉΣ', 'éσ']);
    expect(spans('[^é]', 'É', true)).toEqual([]);
    expect(spans('\\p{Lu}', 'aé', true)).toEqual(['a', 'é']);
  });

  it.each([
    ['ab(?=c)', 2, 'lookahead'],
    ['(?!c)', 0, 'lookahead'],
    ['(?<=c)a', 0, 'lookbehind'],
    ['(?m)^a', 0, 'only i and s'],
    ['(?>a)', 0, 'this kind of (? group'],
    ['(?i)*', 4, 'nothing to repeat'],
    ['(a)\\1', 3, 'backreferences'],
    ['\\k<a>', 0, 'named backreferences'],
    ['\\p{Elvish}', 0, 'no Unicode property'],
    ['\\p', 0, 'no Unicode property'],
    ['a+?', 2, 'lazy'],
    ['a++', 2, 'possessive'],
    ['a{2}{3}', 4, 'a quantifier cannot follow a quantifier'],
    ['\\b+a', 2, 'cannot follow an assertion'],
    ['*a', 0, 'nothing for * to repeat'],
    ['a{', 1, 'write \\\\{'],
    ['a}', 1, 'written \\}'],
    ['a]', 1, 'written \\]'],
    ['a{3,2}', 1, 'out of order'],
    ['a{1,1001}', 1, 'at most 1000'],
    ['[]a]', 0, 'empty class'],
    ['[^]', 0, 'empty class'],
    ['[abc', 0, 'unclosed ['],
    ['[z-a]', 1, 'out of order'],
    ['[a-\\d]', 1, 'two single characters'],
    ['[\\b]', 1, 'no meaning in a class'],
    ['(a', 0, 'unclosed ('],
    ['a)', 1, 'unmatched )'],
    ['a\\', 1, 'nothing after the backslash'],
    ['\\x4', 0, '2 hexadecimal digits'],
    ['\\u12g4', 0, '4 hexadecimal digits'],
    ['\\0', 0, 'escape \\0'],
    ['\\q', 0, 'escape \\q'],
    [`${'('.repeat(101)}a${')'.repeat(101)}`, 100, 'at most 100 deep'],
    ['(?:(?:a{100}){100}){100}', 7, 'expand the pattern beyond'],
    ['(?:(?:(?:){999}){999}){999}a', 10, 'expand the pattern beyond'],
    ['(?:a?){900}b', 0, 'expand the pattern beyond'],
    ['a*', 0, 'matches the empty string'],
    ['\\b', 0, 'matches the empty string'],
    ['a|^$', 0, 'matches the empty string'],
  ])('rejects %s, with offset %i and the construct', (source, offset, problem) => {
    const construct = () => new PatternSet([{ source }]);
    expect(construct).toThrow(PatternSyntaxError);
    expect(construct).toThrow(`offset ${offset}`);
    expect(construct).toThrow(problem.replaceAll('\\\\', '\\'));
  });
});
