#compdef ptx-ls

# Written by `./dev docs` with https://github.com/tqdm/shtab
# Usage:
# 1) Copy this to a file named _ptx-ls (e.g. ~/.local/share/zsh_completion/_ptx-ls).
# 2) Add the following line to your .zshrc:
#    fpath=(~/.local/share/zsh_completion $fpath)
# See also: https://github.com/zsh-users/zsh-completions/blob/master/zsh-completions-howto.org


_shtab_ptx_ls_commands() {
  local _commands=(
    cache:'Print where `lint` stores its results, or delete the results.'
    cfg:'Draw the control flow of a function, as SVG or for Graphviz.'
    completions:'Print a script that completes options and values in bash, fish or zsh.'
    diff:'Compare two files by meaning; ignore register names, comments and debug data.'
    explain:'Print the page of a rule: what it reports, why, and what to write instead.'
    format:'Format columns, indentation and blank lines; only white space changes.'
    isa:'Print the reference page of an instruction, register, directive, type, ...'
    lint:'Check files and directories of PTX.'
    mcp:'Start the MCP (Model Context Protocol) server, for agents.'
    normalize:'Print a canonical text of a file, for tools such as `git diff`.'
    pressure:'Print where the most registers are live, and how many.'
    requirements:'Print the PTX ISA version and target that files need, and the lines that need them.'
    rules:'List the rules.'
    serve:'Start the language server.'
    sync:'Print barriers and asynchronous operations, with the waits for them.'
  )
  _describe 'ptx-ls commands' _commands
}

_shtab_ptx_ls_options=(
  "(- : *)"{-h,--help}"[show this help message and exit]"
  {-V,--version}"[print the version]"
)

# guard to ensure default positional specs are added only once per session
_shtab_ptx_ls_defaults_added=0

_shtab_ptx_ls_cache_options=(
  {-h,--help}"[show this help message and exit]"
  "--cache-dir=[the cache folder (default\: PTX_LS_CACHE_DIR, or a folder in the user\'s cache folder)]:FOLDER:_files -/"
  ":path\: print the cache folder\; clean\: delete the results in the cache folder:(path clean)"
)

# guard to ensure default positional specs are added only once per session
_shtab_ptx_ls_cache_defaults_added=0

_shtab_ptx_ls_cfg_options=(
  {-h,--help}"[show this help message and exit]"
  "--function=[the name of the function to draw, or a unique part of the name\; needed if the file has several functions]:NAME:"
  {--output-format=,--format=}"[the format of the picture (default\: dot if the output file is \*.dot or \*.gv, else svg)]:svg|dot:(svg dot)"
  {-o,--output=}"[write to FILE instead of standard output]:FILE:_files"
  "(*)::a file, or \`-\` for standard input:_files"
)

# guard to ensure default positional specs are added only once per session
_shtab_ptx_ls_cfg_defaults_added=0

_shtab_ptx_ls_completions_options=(
  {-h,--help}"[show this help message and exit]"
  ":bash, fish or zsh:(bash fish zsh)"
)

# guard to ensure default positional specs are added only once per session
_shtab_ptx_ls_completions_defaults_added=0

_shtab_ptx_ls_diff_options=(
  {-h,--help}"[show this help message and exit]"
  "--output-format=[the format of the output\; html shows the texts side by side (default\: text)]:text|json|html:(text json html)"
  "--json[the same as --output-format json]"
  {-o,--output=}"[write to FILE instead of standard output]:FILE:_files"
  {-U,--unified=}"[show N equal statements around each difference (default\: 3)]:N:"
  "--summary[list the functions that differ, but not their statements]"
  "--function=[compare only functions whose name contains NAME]:NAME:"
  "--requirements[also compare the lowest version and target that each file needs\; takes longer]"
  "--git[accept the arguments that git passes to an external diff command]"
  "--color=[when to colour the output (default\: auto, that is, on a terminal)]:auto|always|never:(auto always never)"
  {-q,--quiet}"[print nothing\; the exit status says whether the files differ]"
  "(*)::two files or directories\; \`-\` is standard input:_files"
)

# guard to ensure default positional specs are added only once per session
_shtab_ptx_ls_diff_defaults_added=0

_shtab_ptx_ls_explain_options=(
  {-h,--help}"[show this help message and exit]"
  "--output-format=[the format of the output (default\: markdown)]:markdown|json:(markdown json)"
  "--json[the same as --output-format json]"
  {-o,--output=}"[write to FILE instead of standard output]:FILE:_files"
  "--color=[when to lay out and colour pages instead of printing Markdown (default\: auto, that is, on a terminal)]:auto|always|never:(auto always never)"
  "(*):the name of a rule, the name of a group to list its rules, or words to search for in the pages of all rules:_ptx_ls_rule"
)

# guard to ensure default positional specs are added only once per session
_shtab_ptx_ls_explain_defaults_added=0

_shtab_ptx_ls_format_options=(
  {-h,--help}"[show this help message and exit]"
  "--check[list the files that would change, and change none]"
  "--diff[print a patch, and change no file]"
  "--output-format=[the format of the output\; json prints the files that --check finds, and requires --check (default\: concise)]:concise|json:(concise json)"
  "--json[the same as --output-format json]"
  "--range=[format only the statements in a range of lines (\`5-9\`, \`5-\` or \`-9\`) or between two positions LINE\:COLUMN (\`5\:3-9\:1\`)]:START-END:"
  {-j,--jobs=}"[maximum number of processes (default\: one per processor)]:N:"
  "--stdin-filename=[read standard input as if it were this file\: reports show the name, and the settings of the file apply]:NAME:"
  "--color=[when to colour the output (default\: auto, that is, on a terminal)]:auto|always|never:(auto always never)"
  {-q,--quiet}"[print no summary and no progress]"
  "--indent=[columns per level of indentation (default\: 4)]:N:"
  "--tabs[indent with tabs\; \`indent\` is then the width of a tab]"
  "--width=[line width beyond which lists of operands, values and parameters wrap (default\: 100)]:N:"
  "--operand-column=[column of the operands, relative to the start of the statement\; 0 puts one space after the opcode (default\: 20)]:N:"
  "--comment-column=[minimum column for trailing comments in function bodies\; 0 leaves comments unaligned (default\: 40)]:N:"
  "--blank-lines=[maximum number of consecutive blank lines (default\: 1)]:N:"
  "--config=[use this file instead of the nearest \`ptx-ls.toml\` or \`pyproject.toml\`]:FILE:_files"
  "--isolated[use no configuration file and no \`.editorconfig\`]"
  "*--exclude=[skip paths that match this \`.gitignore\` pattern, relative to the current directory\; may be repeated]:PATTERN:"
  "--force-exclude[skip excluded files even if they are given on the command line]"
  "--no-respect-gitignore[also read files that git ignores]"
  "--show-settings[print the settings that apply to the first file]"
  "(*)::a file, a directory to search for \*.ptx files (hidden directories are skipped), or \`-\` for standard input, whose formatted text goes to standard output:_files"
)

# guard to ensure default positional specs are added only once per session
_shtab_ptx_ls_format_defaults_added=0

_shtab_ptx_ls_isa_options=(
  {-h,--help}"[show this help message and exit]"
  "--list[list all names with a summary]"
  "--category=[list the names in this category]:NAME:_ptx_ls_categories"
  "--stats[print the numbers of opcodes, forms, modifiers, ...]"
  "--output-format=[the format of the output\; json has all facts, for tools, as described in docs\/isa-json.md (default\: markdown)]:markdown|json:(markdown json)"
  "--json[the same as --output-format json]"
  {-o,--output=}"[write to FILE instead of standard output]:FILE:_files"
  "--color=[when to lay out and colour pages instead of printing Markdown (default\: auto, that is, on a terminal)]:auto|always|never:(auto always never)"
  "(*)::what to look up\; see below:_ptx_ls_names"
)

# guard to ensure default positional specs are added only once per session
_shtab_ptx_ls_isa_defaults_added=0

_shtab_ptx_ls_lint_options=(
  {-h,--help}"[show this help message and exit]"
  "--output-format=[the format of the report\: full, concise, grouped, json, jsonl, sarif, github, gitlab, junit, checkstyle, rdjson, pylint, azure (default\: full)]:FORMAT:(full concise grouped json jsonl sarif github gitlab junit checkstyle rdjson pylint azure)"
  "--json[the same as --output-format json]"
  "*--output=[also write a report to a file, such as \`sarif\:findings.sarif\`\; may be repeated]:FORMAT FILE:_ptx_ls_reports"
  "--statistics[print the number of findings of each rule instead of a report]"
  "--max-alike=[show at most N of the findings in a file that differ only in names and numbers\; 0 shows all (default\: 50\; only for full, concise and grouped)]:N:"
  "--severity=[the lowest severity to report (default\: information\; hints are for editors)]:error|warning|information|hint:(error warning information hint)"
  "--fail-on=[the lowest severity that makes the exit status 1\; findings at or above it are always reported (default\: error, or as configured for the current directory)]:error|warning|information|hint|never:(error warning information hint never)"
  "--fix[apply the fixes that are certain to be correct]"
  "--unsafe-fixes[include fixes that may hide a mistake, for example by inserting punctuation or by removing an instruction whose result is never used\; without --fix or --diff, print the report, with the fixes as a patch]"
  "--diff[print a patch with the changes that --fix would make, instead of a report\; change no file]"
  "--exit-zero[the same as --fail-on never]"
  "--show-files[print the files that would be checked]"
  "--watch[check again whenever a file changes\; Ctrl-C stops]"
  {-j,--jobs=}"[maximum number of processes (default\: one per processor)]:N:"
  "--stdin-filename=[read standard input as if it were this file\: reports show the name, and the settings of the file apply]:NAME:"
  "--color=[when to colour the output (default\: auto, that is, on a terminal)]:auto|always|never:(auto always never)"
  {-q,--quiet}"[print no summary and no progress]"
  "--scheduler=[check the files on the Dask cluster at ADDRESS, such as tcp\:\/\/127.0.0.1\:8786\; needs \`pip install \'ptx-ls\[dask\]\'\`]:ADDRESS:"
  "*--target=[check each file against these targets instead of its \`.target\`]:sm_N,...:_ptx_ls_targets"
  "--isa-version=[check each file against PTX ISA V instead of its \`.version\`]:V:_ptx_ls_versions"
  "--max-version=[report features that need a PTX ISA version newer than V]:V:_ptx_ls_versions"
  "--toolkit=[report features that CUDA Toolkit V, such as 12.4, does not support]:V:"
  "--driver=[report features that driver V, such as 550 or 550.54.14, does not support]:V:"
  "--select=[turn on only these rules and groups, separated by commas]:RULE,...:_ptx_ls_rules"
  "--extend-select=[also turn on these rules and groups]:RULE,...:_ptx_ls_rules"
  "--ignore=[turn off these rules and groups]:RULE,...:_ptx_ls_rules"
  "--add-suppressions[suppress all current findings by adding a comment to each line with findings]"
  "--reason=[the reason that --add-suppressions writes in the comments]:TEXT:"
  "--baseline=[do not report the findings that this file lists by rule, function and statement]:FILE:_files"
  "--update-baseline[write all findings to the baseline instead of reporting them]"
  "--shrink-baseline[remove findings that no longer occur from the baseline]"
  "--strict-baseline[exit with status 1 if a finding in the baseline no longer occurs]"
  "--config=[use this file instead of the nearest \`ptx-ls.toml\` or \`pyproject.toml\`]:FILE:_files"
  "--isolated[use no configuration file and no \`.editorconfig\`]"
  "*--exclude=[skip paths that match this \`.gitignore\` pattern, relative to the current directory\; may be repeated]:PATTERN:"
  "--force-exclude[skip excluded files even if they are given on the command line]"
  "--no-respect-gitignore[also read files that git ignores]"
  "--show-settings[print the settings that apply to the first file]"
  "--cache-dir=[the cache folder (default\: PTX_LS_CACHE_DIR, or a folder in the user\'s cache folder)]:FOLDER:_files -/"
  "--no-cache[check all files, and do not store the results]"
  "(*)::a file, a directory to search for \*.ptx files (hidden directories are skipped), or \`-\` for standard input:_files"
)

# guard to ensure default positional specs are added only once per session
_shtab_ptx_ls_lint_defaults_added=0

_shtab_ptx_ls_mcp_options=(
  {-h,--help}"[show this help message and exit]"
  "*--folder=[tools may read .ptx files below this folder\; may be repeated (default\: the current directory)]:FOLDER:_files -/"
)

# guard to ensure default positional specs are added only once per session
_shtab_ptx_ls_mcp_defaults_added=0

_shtab_ptx_ls_normalize_options=(
  {-h,--help}"[show this help message and exit]"
  "(*)::a file, or \`-\` for standard input:_files"
)

# guard to ensure default positional specs are added only once per session
_shtab_ptx_ls_normalize_defaults_added=0

_shtab_ptx_ls_pressure_options=(
  {-h,--help}"[show this help message and exit]"
  "--function=[show only functions whose name contains NAME]:NAME:"
  "--output-format=[the format of the output\; json includes every line, and svg is a picture (default\: text)]:text|json|svg:(text json svg)"
  "--json[the same as --output-format json]"
  {-o,--output=}"[write to FILE instead of standard output]:FILE:_files"
  "(*)::a file, a directory to search for \*.ptx files (hidden directories are skipped), or \`-\` for standard input:_files"
)

# guard to ensure default positional specs are added only once per session
_shtab_ptx_ls_pressure_defaults_added=0

_shtab_ptx_ls_requirements_options=(
  {-h,--help}"[show this help message and exit]"
  "--version=[list the features in use that PTX ISA V lacks]:V:_ptx_ls_versions"
  "--target=[list the features in use that this target lacks]:sm_N:_ptx_ls_target"
  "--output-format=[the format of the output\; json includes all details (default\: text)]:text|json:(text json)"
  "--json[the same as --output-format json]"
  {-o,--output=}"[write to FILE instead of standard output]:FILE:_files"
  "(*)::a file, a directory to search for \*.ptx files (hidden directories are skipped), or \`-\` for standard input:_files"
)

# guard to ensure default positional specs are added only once per session
_shtab_ptx_ls_requirements_defaults_added=0

_shtab_ptx_ls_rules_options=(
  {-h,--help}"[show this help message and exit]"
  "--output-format=[the format of the output (default\: concise)]:concise|json:(concise json)"
  "--json[the same as --output-format json]"
  {-o,--output=}"[write to FILE instead of standard output]:FILE:_files"
)

# guard to ensure default positional specs are added only once per session
_shtab_ptx_ls_rules_defaults_added=0

_shtab_ptx_ls_serve_options=(
  {-h,--help}"[show this help message and exit]"
  "--stdio[use standard input and output (default)]"
  "--tcp=[listen for any number of TCP clients\; without HOST, on the loopback interface]:HOST PORT:"
  "--ws=[listen for WebSocket clients\; without HOST, on the loopback interface]:HOST PORT:"
  "--allow-remote[listen on an address that other machines can reach\; clients there must send the token]"
  "--token-file=[use the first line of FILE as the token that clients must send]:FILE:_files"
  "*--allow-origin=[let web pages of this origin connect, such as https\:\/\/example.com\; may be repeated]:ORIGIN:"
  "*--folder=[let clients read only files below DIR (default\: the current directory)\; may be repeated]:DIR:_files -/"
)

# guard to ensure default positional specs are added only once per session
_shtab_ptx_ls_serve_defaults_added=0

_shtab_ptx_ls_sync_options=(
  {-h,--help}"[show this help message and exit]"
  "--function=[show only functions whose name contains NAME]:NAME:"
  "--output-format=[the format of the output\; svg is a picture (default\: text)]:text|json|svg:(text json svg)"
  "--json[the same as --output-format json]"
  {-o,--output=}"[write to FILE instead of standard output]:FILE:_files"
  "(*)::a file, a directory to search for \*.ptx files (hidden directories are skipped), or \`-\` for standard input:_files"
)

# guard to ensure default positional specs are added only once per session
_shtab_ptx_ls_sync_defaults_added=0


_shtab_ptx_ls() {
  local context state line curcontext="$curcontext" one_or_more='(*)' remainder='(-)*:' default='*::: :->ptx-ls'

  # Add default positional/remainder specs only if none exist, and only once per session
  if (( ! _shtab_ptx_ls_defaults_added )); then
    if (( ${_shtab_ptx_ls_options[(I)${(q)one_or_more}*]} +          ${_shtab_ptx_ls_options[(I)${(q)remainder}*]} +          ${_shtab_ptx_ls_options[(I)${(q)default}]} == 0 )); then
      _shtab_ptx_ls_options+=(': :_shtab_ptx_ls_commands' '*::: :->ptx-ls')
    fi
    _shtab_ptx_ls_defaults_added=1
  fi
  _arguments -C -s $_shtab_ptx_ls_options

  case $state in
    ptx-ls)
      words=($line[1] "${words[@]}")
      (( CURRENT += 1 ))
      curcontext="${curcontext%:*:*}:_shtab_ptx_ls-$line[1]:"
      case $line[1] in
        cache) _arguments -C -s $_shtab_ptx_ls_cache_options ;;
        cfg) _arguments -C -s $_shtab_ptx_ls_cfg_options ;;
        completions) _arguments -C -s $_shtab_ptx_ls_completions_options ;;
        diff) _arguments -C -s $_shtab_ptx_ls_diff_options ;;
        explain) _arguments -C -s $_shtab_ptx_ls_explain_options ;;
        format) _arguments -C -s $_shtab_ptx_ls_format_options ;;
        isa) _arguments -C -s $_shtab_ptx_ls_isa_options ;;
        lint) _arguments -C -s $_shtab_ptx_ls_lint_options ;;
        mcp) _arguments -C -s $_shtab_ptx_ls_mcp_options ;;
        normalize) _arguments -C -s $_shtab_ptx_ls_normalize_options ;;
        pressure) _arguments -C -s $_shtab_ptx_ls_pressure_options ;;
        requirements) _arguments -C -s $_shtab_ptx_ls_requirements_options ;;
        rules) _arguments -C -s $_shtab_ptx_ls_rules_options ;;
        serve) _arguments -C -s $_shtab_ptx_ls_serve_options ;;
        sync) _arguments -C -s $_shtab_ptx_ls_sync_options ;;
      esac
  esac
}

# Custom Preamble
_ptx_ls_rules() {
  _values -s , name absent-lane address-round-trip allocation-after-relinquish array-index array-size async bank-conflict barrier-count barrier-without-partner cacheable-load call-arguments carry-chain comments constant-bank constant-comparison constant-condition constant-division constant-expression constant-loop-condition constant-parity constant-pointer constant-result contradictory-conditions correctness declarations deprecated-feature directive-value divergent-barrier divergent-collective double-precision duplicate-declaration duplicate-destination duplicate-label duplicate-modifier early-bulk-read early-copy-access early-grid-access early-publication early-remote-access early-slot-access early-slot-release early-tensor-read empty-member-mask emulated-instruction endless-loop endless-wait exchanged-halves exit-before-collective exit-before-peers false-uniform-branch float-as-integer float-division float-domain foreign-line fragment-order freed-tensor-memory function-signature functions generic-access guard-predicate ignored-directive ignored-field ignored-instruction illegal-modifier immediate-range incomplete-member-mask inconsistent-declaration initial-value instructions integer-as-float invalid-address invalid-declaration invalid-suppression known-result launch-bounds legacy-membar local-index loop-direction mbarrier-arrivals mbarrier-bytes mbarrier-lifetime memory-limit memory-performance misaligned-access misplaced-directive misplaced-instruction missing-barrier missing-modifier missing-proxy-fence missing-register-fence missing-return missing-tensor-fence missing-wait mixed-float-formats mixed-groups modifier-order module-header modules names narrow-scope needless-barrier needless-fence negative-constant never-executed no-abi opaque-value operand-count operand-kind operand-limit operand-type operand-width out-of-bounds overflow-before-widening oversized-bit-field oversized-constant oversized-shift overwritten-accumulator overwritten-copy-source overwritten-matrix overwritten-result overwritten-store parameter-access parameter-format parameter-space performance read-only-load reciprocal-root redundant-branch redundant-instruction register-limit register-pragma register-shortage remote-mbarrier removed-feature repeated-arrival repeated-division repeated-tensor-operation reserved-name return-address reused-barrier reversed-register-change scalar-accesses separate-compilation serialising-wait shared-alias shuffle-bounds single-wait source-location split-opcode state-space strong-scope subnormal-handling suppression-without-reason suspicious synchronization syntax syntax-error tensor-map-in-use tensor-memory-leak tensor-memory-size texture-sampler truncated-address truncated-value unacquired-tensor-map unawaited-copy unawaited-tensor-load unawaited-tensor-store unbalanced-brace uncoalesced-access uncommitted-copy uncommitted-matrix uncommitted-tensor-operation uncompilable undeclared-label undeclared-register undeclared-symbol unfused-multiplication unknown-directive unknown-modifier unknown-opcode unknown-stack unknown-target unknown-version unordered-flag unpaired-cluster-barrier unreachable-code unread-carry unread-memory unreleased-tensor-map unresolved-symbol unset-register unsupported-target unsupported-version unused-function unused-label unused-parameter unused-register unused-result unused-suppression unused-variable unwritten-memory vector-size warp-reduction weak-spin wide-arithmetic wrong-address-space wrong-parity zero-divisor zero-extended-index
}
_ptx_ls_targets() {
  _values -s , name sm_10 sm_11 sm_12 sm_13 sm_20 sm_21 sm_30 sm_32 sm_35 sm_37 sm_50 sm_52 sm_53 sm_60 sm_61 sm_62 sm_70 sm_72 sm_75 sm_80 sm_82 sm_86 sm_87 sm_88 sm_89 sm_90 sm_90a sm_100 sm_100a sm_100f sm_101 sm_101a sm_101f sm_103 sm_103a sm_103f sm_107 sm_107a sm_107f sm_110 sm_110a sm_110f sm_120 sm_120a sm_120f sm_121 sm_121a sm_121f
}
_ptx_ls_reports() {
  if compset -P '*:'; then _files; else compadd -S : full concise grouped json jsonl sarif github gitlab junit checkstyle rdjson pylint azure; fi
}
_ptx_ls_versions() {
  compadd -- '1.0' '1.1' '1.2' '1.3' '1.4' '1.5' '2.0' '2.1' '2.2' '2.3' '3.0' '3.1' '3.2' '4.0' '4.1' '4.2' '4.3' '5.0' '6.0' '6.1' '6.2' '6.3' '6.4' '6.5' '7.0' '7.1' '7.2' '7.3' '7.4' '7.5' '7.6' '7.7' '7.8' '8.0' '8.1' '8.2' '8.3' '8.4' '8.5' '8.6' '8.7' '8.8' '9.0' '9.1' '9.2' '9.3' '9.4' '9.5'
}
_ptx_ls_rule() {
  compadd -- 'constant-parity' 'early-bulk-read' 'early-copy-access' 'early-publication' 'early-slot-access' 'early-slot-release' 'endless-wait' 'mbarrier-arrivals' 'mbarrier-bytes' 'mbarrier-lifetime' 'missing-proxy-fence' 'overwritten-copy-source' 'remote-mbarrier' 'single-wait' 'unawaited-copy' 'uncommitted-copy' 'wrong-parity' 'allocation-after-relinquish' 'early-grid-access' 'early-remote-access' 'early-tensor-read' 'exit-before-peers' 'freed-tensor-memory' 'missing-register-fence' 'missing-tensor-fence' 'overwritten-accumulator' 'overwritten-matrix' 'register-shortage' 'repeated-arrival' 'repeated-tensor-operation' 'reversed-register-change' 'tensor-map-in-use' 'tensor-memory-leak' 'tensor-memory-size' 'unacquired-tensor-map' 'unawaited-tensor-load' 'unawaited-tensor-store' 'uncommitted-matrix' 'uncommitted-tensor-operation' 'unpaired-cluster-barrier' 'unreleased-tensor-map' 'invalid-suppression' 'suppression-without-reason' 'unused-suppression' 'carry-chain' 'constant-loop-condition' 'duplicate-destination' 'empty-member-mask' 'endless-loop' 'exchanged-halves' 'float-as-integer' 'fragment-order' 'incomplete-member-mask' 'integer-as-float' 'invalid-address' 'launch-bounds' 'misaligned-access' 'missing-return' 'mixed-float-formats' 'operand-limit' 'out-of-bounds' 'oversized-bit-field' 'oversized-constant' 'oversized-shift' 'read-only-load' 'shuffle-bounds' 'truncated-address' 'truncated-value' 'unset-register' 'unwritten-memory' 'wrong-address-space' 'zero-divisor' 'array-index' 'array-size' 'constant-bank' 'constant-expression' 'directive-value' 'ignored-field' 'initial-value' 'invalid-declaration' 'memory-limit' 'opaque-value' 'parameter-space' 'call-arguments' 'function-signature' 'no-abi' 'register-pragma' 'return-address' 'separate-compilation' 'uncompilable' 'unknown-stack' 'constant-pointer' 'duplicate-modifier' 'guard-predicate' 'ignored-instruction' 'illegal-modifier' 'immediate-range' 'missing-modifier' 'missing-wait' 'mixed-groups' 'modifier-order' 'operand-count' 'operand-kind' 'operand-type' 'operand-width' 'parameter-access' 'state-space' 'texture-sampler' 'unknown-modifier' 'unknown-opcode' 'vector-size' 'bank-conflict' 'needless-barrier' 'needless-fence' 'serialising-wait' 'strong-scope' 'uncoalesced-access' 'deprecated-feature' 'ignored-directive' 'module-header' 'removed-feature' 'source-location' 'unknown-target' 'unknown-version' 'unsupported-target' 'unsupported-version' 'duplicate-declaration' 'duplicate-label' 'inconsistent-declaration' 'reserved-name' 'undeclared-label' 'undeclared-register' 'undeclared-symbol' 'unresolved-symbol' 'address-round-trip' 'cacheable-load' 'constant-division' 'double-precision' 'emulated-instruction' 'float-division' 'generic-access' 'local-index' 'reciprocal-root' 'register-limit' 'repeated-division' 'scalar-accesses' 'subnormal-handling' 'unfused-multiplication' 'warp-reduction' 'wide-arithmetic' 'constant-comparison' 'constant-condition' 'constant-result' 'contradictory-conditions' 'float-domain' 'known-result' 'loop-direction' 'negative-constant' 'never-executed' 'overflow-before-widening' 'overwritten-result' 'overwritten-store' 'parameter-format' 'redundant-branch' 'redundant-instruction' 'shared-alias' 'unreachable-code' 'unread-carry' 'unread-memory' 'unused-function' 'unused-label' 'unused-parameter' 'unused-register' 'unused-result' 'unused-variable' 'zero-extended-index' 'absent-lane' 'barrier-count' 'barrier-without-partner' 'divergent-barrier' 'divergent-collective' 'exit-before-collective' 'false-uniform-branch' 'legacy-membar' 'missing-barrier' 'narrow-scope' 'reused-barrier' 'unordered-flag' 'weak-spin' 'foreign-line' 'misplaced-directive' 'misplaced-instruction' 'split-opcode' 'syntax-error' 'unbalanced-brace' 'unknown-directive'
}
_ptx_ls_categories() {
  compadd -- 'arithmetic' 'comparison' 'control flow' 'data movement' 'logic' 'matrix' 'miscellaneous' 'shift' 'stack' 'surface' 'synchronisation' 'texture' 'video' 'special registers' 'predefined names' 'directives' 'pragmas' 'types' 'state spaces' 'chapters' 'versions' 'targets'
}
_ptx_ls_names() {
  compadd -- 'abs' 'add' 'addc' 'bfe' 'bfi' 'bfind' 'bmsk' 'brev' 'clmad' 'clz' 'copysign' 'cos' 'div' 'dp2a' 'dp4a' 'ex2' 'fma' 'fns' 'lg2' 'mad' 'mad24' 'madc' 'max' 'min' 'mul' 'mul24' 'neg' 'popc' 'rcp' 'rem' 'rsqrt' 'sad' 'sin' 'sqrt' 'sub' 'subc' 'szext' 'tanh' 'selp' 'set' 'setp' 'slct' 'testp' 'bra' 'brx' 'call' 'exit' 'ret' 'applypriority' 'cp' 'createpolicy' 'cvt' 'cvta' 'discard' 'fabric' 'getctarank' 'isspacep' 'ld' 'ldu' 'mapa' 'mov' 'multimem' 'prefetch' 'prefetchu' 'prmt' 'shfl' 'st' 'tensormap' 'and' 'cnot' 'lop3' 'not' 'or' 'xor' 'ldmatrix' 'mma' 'movmatrix' 'spcompress' 'spdecompress' 'stmatrix' 'tcgen05' 'wgmma' 'wmma' 'brkpt' 'nanosleep' 'pmevent' 'setmaxnreg' 'trap' 'shf' 'shl' 'shr' 'alloca' 'stackrestore' 'stacksave' 'suld' 'suq' 'sured' 'sust' 'activemask' 'atom' 'bar' 'barrier' 'clusterlaunchcontrol' 'elect' 'fence' 'griddepcontrol' 'match' 'mbarrier' 'membar' 'red' 'redux' 'vote' 'istypep' 'tex' 'tld4' 'txq' 'vabsdiff' 'vabsdiff2' 'vabsdiff4' 'vadd' 'vadd2' 'vadd4' 'vavrg2' 'vavrg4' 'vmad' 'vmax' 'vmax2' 'vmax4' 'vmin' 'vmin2' 'vmin4' 'vset' 'vset2' 'vset4' 'vshl' 'vshr' 'vsub' 'vsub2' 'vsub4' '%tid' '%ntid' '%laneid' '%warpid' '%nwarpid' '%ctaid' '%nctaid' '%smid' '%nsmid' '%gridid' '%is_explicit_cluster' '%clusterid' '%nclusterid' '%cluster_ctaid' '%cluster_nctaid' '%cluster_ctarank' '%cluster_nctarank' '%lanemask_eq' '%lanemask_le' '%lanemask_lt' '%lanemask_ge' '%lanemask_gt' '%clock' '%clock_hi' '%clock64' '%pm' '%pm4' '%pm5' '%pm6' '%pm7' '%envreg' '%globaltimer' '%globaltimer_lo' '%globaltimer_hi' '%reserved_smem_offset_begin' '%reserved_smem_offset_end' '%reserved_smem_offset_cap' '%reserved_smem_offset_' '%total_smem_size' '%aggr_smem_size' '%dynamic_smem_size' '%current_graph_exec' '%perctamemoryoffset' '%perctamemorysize' '%locality_domain_id' '%locality_domain_supplemental_sm' '%pm0_64' '%pm1_64' '%pm2_64' '%pm3_64' '%pm4_64' '%pm5_64' '%pm6_64' '%pm7_64' 'WARP_SZ' 'generic' 'mask' '_' '.version' '.target' '.address_size' '.entry' '.func' '.alias' '.branchtargets' '.calltargets' '.callprototype' '.maxnreg' '.maxntid' '.reqntid' '.minnctapersm' '.maxnctapersm' '.noreturn' '.pragma' '.abi_preserve' '.abi_preserve_control' '.local_maxnreg' '.minperctamemory' '.reqnctapercluster' '.explicitcluster' '.maxclusterrank' '.blocksareclusters' '.language' '@@DWARF' '.section' '.file' '.loc' '.loc_intermediate' '.nv_intermediate_source_section' '.extern' '.visible' '.weak' '.common' '.reg' '.sreg' '.const' '.global' '.local' '.param' '.shared' '.tex' '.surf' '.align' '.attribute' '.managed' '.unified' '.ptr' '.hidden' 'nounroll' 'used_bytes_mask' 'enable_smem_spilling' 'frequency' 'mma_throughput' '.b8' '.b16' '.b32' '.b64' '.b128' '.u8' '.u16' '.u32' '.u64' '.s8' '.s16' '.s32' '.s64' '.f16' '.f16x2' '.f32' '.f64' '.pred' '.bf16' '.bf16x2' '.tf32' '.f32x2' '.e4m3' '.e5m2' '.e2m3' '.e3m2' '.e2m1' '.ue8m0' '.ue4m3' '.ue5m3' '.e4m3x2' '.e5m2x2' '.e2m3x2' '.e3m2x2' '.e2m1x2' '.ue8m0x2' '.ue5m3x2' '.s2f6x2' '.e4m3x4' '.e5m2x4' '.e2m3x4' '.e3m2x4' '.e2m1x4' '.e2m1p4x4' '.ue8m0x4' '.u16x2' '.s16x2' '.u8x4' '.s8x4' '.u4' '.s4' '.u2' '.s2' '.b1' '.b4' '.b2' '.texref' '.samplerref' '.surfref' 'abi' 'constant-expressions' 'conversions' 'matrix-descriptors' 'memory-model' 'swizzle' 'tensors' 'texture-modes' '1.0' '1.1' '1.2' '1.3' '1.4' '1.5' '2.0' '2.1' '2.2' '2.3' '3.0' '3.1' '3.2' '4.0' '4.1' '4.2' '4.3' '5.0' '6.0' '6.1' '6.2' '6.3' '6.4' '6.5' '7.0' '7.1' '7.2' '7.3' '7.4' '7.5' '7.6' '7.7' '7.8' '8.0' '8.1' '8.2' '8.3' '8.4' '8.5' '8.6' '8.7' '8.8' '9.0' '9.1' '9.2' '9.3' '9.4' '9.5' 'sm_10' 'sm_11' 'sm_12' 'sm_13' 'sm_20' 'sm_21' 'sm_30' 'sm_32' 'sm_35' 'sm_37' 'sm_50' 'sm_52' 'sm_53' 'sm_60' 'sm_61' 'sm_62' 'sm_70' 'sm_72' 'sm_75' 'sm_80' 'sm_82' 'sm_86' 'sm_87' 'sm_88' 'sm_89' 'sm_90' 'sm_90a' 'sm_100' 'sm_100a' 'sm_100f' 'sm_101' 'sm_101a' 'sm_101f' 'sm_103' 'sm_103a' 'sm_103f' 'sm_107' 'sm_107a' 'sm_107f' 'sm_110' 'sm_110a' 'sm_110f' 'sm_120' 'sm_120a' 'sm_120f' 'sm_121' 'sm_121a' 'sm_121f' 'texmode_unified' 'texmode_independent' 'debug' 'map_f64_to_f32'
}
_ptx_ls_target() {
  compadd -- 'sm_10' 'sm_11' 'sm_12' 'sm_13' 'sm_20' 'sm_21' 'sm_30' 'sm_32' 'sm_35' 'sm_37' 'sm_50' 'sm_52' 'sm_53' 'sm_60' 'sm_61' 'sm_62' 'sm_70' 'sm_72' 'sm_75' 'sm_80' 'sm_82' 'sm_86' 'sm_87' 'sm_88' 'sm_89' 'sm_90' 'sm_90a' 'sm_100' 'sm_100a' 'sm_100f' 'sm_101' 'sm_101a' 'sm_101f' 'sm_103' 'sm_103a' 'sm_103f' 'sm_107' 'sm_107a' 'sm_107f' 'sm_110' 'sm_110a' 'sm_110f' 'sm_120' 'sm_120a' 'sm_120f' 'sm_121' 'sm_121a' 'sm_121f'
}
# End Custom Preamble


typeset -A opt_args

if [[ $zsh_eval_context[-1] == eval ]]; then
  # eval/source/. command, register function for later
  compdef _shtab_ptx_ls -N ptx-ls
else
  # autoload from fpath, call function directly
  _shtab_ptx_ls "$@"
fi
