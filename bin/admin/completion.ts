import { callOf, ENTRY } from '../entry.ts';
import { type Command, type Option, UsageError } from './command.ts';

const SHELLS = ['bash', 'zsh'];
const NAME = 'svc-admin';

/** The command line as completion knows it. */
interface Line {
  readonly commands: readonly Command[];
  readonly common: Readonly<Record<string, Option>>;
}

/** Prints a shell function with completion. `line` is read when the command runs, since it contains the command. */
export function completionCommand(line: () => Line): Command {
  return {
    name: 'completion',
    args: ['SHELL'],
    argHelp: { SHELL: { help: 'Your shell.', choices: SHELLS } },
    summary: `Prints a script that defines the command ${NAME}, with completion of commands, options and values.`,
    options: {},
    examples: ['completion bash >> ~/.bashrc', 'completion zsh >> ~/.zshrc'],
    async run(input, { out }) {
      const shell = input.arg(0);
      if (!SHELLS.includes(shell)) throw new UsageError(`SHELL must be ${SHELLS.join(' or ')}.`);
      const script = completionScript(shell === 'zsh' ? 'zsh' : 'bash', line());
      if (out.json) out.objects([{ shell, script }]);
      else out.script(script);
      return 0;
    },
  };
}

/** The Node of this call runs the command, because the machine's own may be too old. */
function completionScript(shell: 'bash' | 'zsh', line: Line): string {
  return [
    `# ${NAME} is svc admin in any folder, with completion. Printed by: ${callOf('admin')} completion ${shell}`,
    `${NAME}() { ${quoted(process.execPath)} ${quoted(ENTRY)} admin "$@"; }`,
    wordsFunction(line),
    CANDIDATES,
    shell === 'bash' ? BASH : ZSH,
  ].join('\n');
}

/**
 * A shell function that prints what can follow: a group's commands by its name, a command's options by `NAME -`, the values of an
 * option by `NAME --OPTION`, those of an argument by `NAME POSITION`. It fails for other text, such as a switch.
 */
function wordsFunction({ commands, common }: Line): string {
  const cases = new Map<string, readonly string[]>();
  for (const { name, options, args, argHelp } of commands) {
    const [group = '', word] = name.split(' ');
    cases.set('', [...new Set([...(cases.get('') ?? []), group])]);
    if (word !== undefined) cases.set(group, [...(cases.get(group) ?? []), word]);
    const all = { ...options, ...common };
    const flags = [...Object.keys(all), 'help'].map((option) => `--${option}`);
    cases.set(`${name} -`, flags);
    for (const [option, { value, choices }] of Object.entries(all)) {
      if (value !== undefined) cases.set(`${name} --${option}`, choices ?? []);
    }
    for (const [at, arg] of args.entries()) {
      const choices = argHelp?.[arg]?.choices;
      if (choices !== undefined) cases.set(`${name} ${at}`, choices);
    }
    cases.set(`${name} ${args.length}`, flags);
  }
  const lines = [...cases].map(([before, words]) => `    ${quoted(before)}) echo ${quoted(words.join(' '))} ;;`);
  return `_svc_admin_words() {\n  case "$1" in\n${lines.join('\n')}\n    *) return 1 ;;\n  esac\n}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Takes the word at the cursor and the words before it. Also for bash 3.2, the version of macOS. */
const CANDIDATES = `_svc_admin_candidates() {
  local current="$1" command='' option='' at=0 word
  shift
  for word in "$@"; do
    if [ -n "$option" ]; then option=''
    elif [ "\${word#-}" != "$word" ]; then
      if _svc_admin_words "$command $word" >/dev/null; then option="$word"; fi
    elif _svc_admin_words "$command -" >/dev/null; then at=$((at + 1))
    else command="\${command:+$command }$word"
    fi
  done
  if [ -n "$option" ]; then _svc_admin_words "$command $option"
  elif ! _svc_admin_words "$command -" >/dev/null; then _svc_admin_words "$command"
  elif [ "\${current#-}" != "$current" ]; then _svc_admin_words "$command -"
  else _svc_admin_words "$command $at"
  fi
}`;
/** Without a candidate, both shells complete the names of files. */
const BASH = `_svc_admin() {
  COMPREPLY=($(compgen -W "$(_svc_admin_candidates "$2" "\${COMP_WORDS[@]:1:COMP_CWORD-1}")" -- "$2"))
}
complete -o default -F _svc_admin ${NAME}`;
const ZSH = `_svc_admin() {
  local -a found
  found=(\${=$(_svc_admin_candidates "\${words[CURRENT]}" "\${(@)words[2,CURRENT-1]}")})
  if (( \${#found} )); then compadd -- $found; else _files; fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _svc_admin ${NAME}`;
