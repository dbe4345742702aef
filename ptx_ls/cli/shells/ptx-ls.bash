# Written by `./dev docs` with https://github.com/tqdm/shtab
# Usage:
# 1) Copy this to somewhere (e.g. ~/.local/share/bash_completion/ptx-ls).
# 2) Add the following line to your .bashrc:
#    source ~/.local/share/bash_completion/ptx-ls
# See also: https://github.com/scop/bash-completion/blob/main/doc/configuration.md

_shtab_ptx_ls_subparsers=(lint format explain rules isa requirements cfg pressure sync cache diff normalize serve mcp completions)

_shtab_ptx_ls_lint_option_strings=(-h --help --output-format --json --output --statistics --max-alike --severity --fail-on --fix --unsafe-fixes --diff --exit-zero --show-files --watch -j --jobs --stdin-filename --color -q --quiet --scheduler --target --isa-version --max-version --toolkit --driver --select --extend-select --ignore --add-suppressions --reason --baseline --update-baseline --shrink-baseline --strict-baseline --config --isolated --exclude --force-exclude --no-respect-gitignore --show-settings --cache-dir --no-cache)
_shtab_ptx_ls_format_option_strings=(-h --help --check --diff --output-format --json --range -j --jobs --stdin-filename --color -q --quiet --indent --tabs --width --operand-column --comment-column --blank-lines --config --isolated --exclude --force-exclude --no-respect-gitignore --show-settings)
_shtab_ptx_ls_explain_option_strings=(-h --help --output-format --json -o --output --color)
_shtab_ptx_ls_rules_option_strings=(-h --help --output-format --json -o --output)
_shtab_ptx_ls_isa_option_strings=(-h --help --list --category --stats --output-format --json -o --output --color)
_shtab_ptx_ls_requirements_option_strings=(-h --help --version --target --output-format --json -o --output)
_shtab_ptx_ls_cfg_option_strings=(-h --help --function --output-format --format -o --output)
_shtab_ptx_ls_pressure_option_strings=(-h --help --function --output-format --json -o --output)
_shtab_ptx_ls_sync_option_strings=(-h --help --function --output-format --json -o --output)
_shtab_ptx_ls_cache_option_strings=(-h --help --cache-dir)
_shtab_ptx_ls_diff_option_strings=(-h --help --output-format --json -o --output -U --unified --summary --function --requirements --git --color -q --quiet)
_shtab_ptx_ls_normalize_option_strings=(-h --help)
_shtab_ptx_ls_serve_option_strings=(-h --help --stdio --tcp --ws --allow-remote --token-file --allow-origin --folder)
_shtab_ptx_ls_mcp_option_strings=(-h --help --folder)
_shtab_ptx_ls_completions_option_strings=(-h --help)
_shtab_ptx_ls_option_strings=(-h --help -V --version)

_shtab_ptx_ls_lint_pos_0_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_lint___output_COMPGEN=_ptx_ls_reports
_shtab_ptx_ls_lint___target_COMPGEN=_ptx_ls_targets
_shtab_ptx_ls_lint___isa_version_COMPGEN=_ptx_ls_versions
_shtab_ptx_ls_lint___max_version_COMPGEN=_ptx_ls_versions
_shtab_ptx_ls_lint___select_COMPGEN=_ptx_ls_rules
_shtab_ptx_ls_lint___extend_select_COMPGEN=_ptx_ls_rules
_shtab_ptx_ls_lint___ignore_COMPGEN=_ptx_ls_rules
_shtab_ptx_ls_lint___baseline_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_lint___config_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_lint___cache_dir_COMPGEN=_shtab_compgen_dirs
_shtab_ptx_ls_format_pos_0_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_format___config_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_explain_pos_0_COMPGEN=_ptx_ls_rule
_shtab_ptx_ls_explain__o_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_explain___output_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_rules__o_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_rules___output_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_isa_pos_0_COMPGEN=_ptx_ls_names
_shtab_ptx_ls_isa___category_COMPGEN=_ptx_ls_categories
_shtab_ptx_ls_isa__o_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_isa___output_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_requirements_pos_0_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_requirements___version_COMPGEN=_ptx_ls_versions
_shtab_ptx_ls_requirements___target_COMPGEN=_ptx_ls_target
_shtab_ptx_ls_requirements__o_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_requirements___output_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_cfg_pos_0_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_cfg__o_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_cfg___output_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_pressure_pos_0_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_pressure__o_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_pressure___output_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_sync_pos_0_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_sync__o_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_sync___output_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_cache___cache_dir_COMPGEN=_shtab_compgen_dirs
_shtab_ptx_ls_diff_pos_0_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_diff__o_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_diff___output_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_normalize_pos_0_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_serve___token_file_COMPGEN=_shtab_compgen_files
_shtab_ptx_ls_serve___folder_COMPGEN=_shtab_compgen_dirs
_shtab_ptx_ls_mcp___folder_COMPGEN=_shtab_compgen_dirs

_shtab_ptx_ls_lint___output_format_choices=(full concise grouped json jsonl sarif github gitlab junit checkstyle rdjson pylint azure)
_shtab_ptx_ls_lint___severity_choices=(error warning information hint)
_shtab_ptx_ls_lint___fail_on_choices=(error warning information hint never)
_shtab_ptx_ls_lint___color_choices=(auto always never)
_shtab_ptx_ls_format___output_format_choices=(concise json)
_shtab_ptx_ls_format___color_choices=(auto always never)
_shtab_ptx_ls_explain___output_format_choices=(markdown json)
_shtab_ptx_ls_explain___color_choices=(auto always never)
_shtab_ptx_ls_rules___output_format_choices=(concise json)
_shtab_ptx_ls_isa___output_format_choices=(markdown json)
_shtab_ptx_ls_isa___color_choices=(auto always never)
_shtab_ptx_ls_requirements___output_format_choices=(text json)
_shtab_ptx_ls_cfg___output_format_choices=(svg dot)
_shtab_ptx_ls_cfg___format_choices=(svg dot)
_shtab_ptx_ls_pressure___output_format_choices=(text json svg)
_shtab_ptx_ls_sync___output_format_choices=(text json svg)
_shtab_ptx_ls_cache_pos_0_choices=(path clean)
_shtab_ptx_ls_diff___output_format_choices=(text json html)
_shtab_ptx_ls_diff___color_choices=(auto always never)
_shtab_ptx_ls_completions_pos_0_choices=(bash fish zsh)
_shtab_ptx_ls_pos_0_choices=(lint format explain rules isa requirements cfg pressure sync cache diff normalize serve mcp completions)

_shtab_ptx_ls_lint_pos_0_nargs='*'
_shtab_ptx_ls_lint__h_nargs=0
_shtab_ptx_ls_lint___help_nargs=0
_shtab_ptx_ls_lint___json_nargs=0
_shtab_ptx_ls_lint___statistics_nargs=0
_shtab_ptx_ls_lint___fix_nargs=0
_shtab_ptx_ls_lint___unsafe_fixes_nargs=0
_shtab_ptx_ls_lint___diff_nargs=0
_shtab_ptx_ls_lint___exit_zero_nargs=0
_shtab_ptx_ls_lint___show_files_nargs=0
_shtab_ptx_ls_lint___watch_nargs=0
_shtab_ptx_ls_lint__q_nargs=0
_shtab_ptx_ls_lint___quiet_nargs=0
_shtab_ptx_ls_lint___add_suppressions_nargs=0
_shtab_ptx_ls_lint___update_baseline_nargs=0
_shtab_ptx_ls_lint___shrink_baseline_nargs=0
_shtab_ptx_ls_lint___strict_baseline_nargs=0
_shtab_ptx_ls_lint___isolated_nargs=0
_shtab_ptx_ls_lint___force_exclude_nargs=0
_shtab_ptx_ls_lint___no_respect_gitignore_nargs=0
_shtab_ptx_ls_lint___show_settings_nargs=0
_shtab_ptx_ls_lint___no_cache_nargs=0
_shtab_ptx_ls_format_pos_0_nargs='*'
_shtab_ptx_ls_format__h_nargs=0
_shtab_ptx_ls_format___help_nargs=0
_shtab_ptx_ls_format___check_nargs=0
_shtab_ptx_ls_format___diff_nargs=0
_shtab_ptx_ls_format___json_nargs=0
_shtab_ptx_ls_format__q_nargs=0
_shtab_ptx_ls_format___quiet_nargs=0
_shtab_ptx_ls_format___tabs_nargs=0
_shtab_ptx_ls_format___isolated_nargs=0
_shtab_ptx_ls_format___force_exclude_nargs=0
_shtab_ptx_ls_format___no_respect_gitignore_nargs=0
_shtab_ptx_ls_format___show_settings_nargs=0
_shtab_ptx_ls_explain_pos_0_nargs=+
_shtab_ptx_ls_explain__h_nargs=0
_shtab_ptx_ls_explain___help_nargs=0
_shtab_ptx_ls_explain___json_nargs=0
_shtab_ptx_ls_rules__h_nargs=0
_shtab_ptx_ls_rules___help_nargs=0
_shtab_ptx_ls_rules___json_nargs=0
_shtab_ptx_ls_isa_pos_0_nargs='*'
_shtab_ptx_ls_isa__h_nargs=0
_shtab_ptx_ls_isa___help_nargs=0
_shtab_ptx_ls_isa___list_nargs=0
_shtab_ptx_ls_isa___stats_nargs=0
_shtab_ptx_ls_isa___json_nargs=0
_shtab_ptx_ls_requirements_pos_0_nargs='*'
_shtab_ptx_ls_requirements__h_nargs=0
_shtab_ptx_ls_requirements___help_nargs=0
_shtab_ptx_ls_requirements___json_nargs=0
_shtab_ptx_ls_cfg_pos_0_nargs='*'
_shtab_ptx_ls_cfg__h_nargs=0
_shtab_ptx_ls_cfg___help_nargs=0
_shtab_ptx_ls_pressure_pos_0_nargs='*'
_shtab_ptx_ls_pressure__h_nargs=0
_shtab_ptx_ls_pressure___help_nargs=0
_shtab_ptx_ls_pressure___json_nargs=0
_shtab_ptx_ls_sync_pos_0_nargs='*'
_shtab_ptx_ls_sync__h_nargs=0
_shtab_ptx_ls_sync___help_nargs=0
_shtab_ptx_ls_sync___json_nargs=0
_shtab_ptx_ls_cache__h_nargs=0
_shtab_ptx_ls_cache___help_nargs=0
_shtab_ptx_ls_diff_pos_0_nargs='*'
_shtab_ptx_ls_diff__h_nargs=0
_shtab_ptx_ls_diff___help_nargs=0
_shtab_ptx_ls_diff___json_nargs=0
_shtab_ptx_ls_diff___summary_nargs=0
_shtab_ptx_ls_diff___requirements_nargs=0
_shtab_ptx_ls_diff___git_nargs=0
_shtab_ptx_ls_diff__q_nargs=0
_shtab_ptx_ls_diff___quiet_nargs=0
_shtab_ptx_ls_normalize_pos_0_nargs='*'
_shtab_ptx_ls_normalize__h_nargs=0
_shtab_ptx_ls_normalize___help_nargs=0
_shtab_ptx_ls_serve__h_nargs=0
_shtab_ptx_ls_serve___help_nargs=0
_shtab_ptx_ls_serve___stdio_nargs=0
_shtab_ptx_ls_serve___allow_remote_nargs=0
_shtab_ptx_ls_mcp__h_nargs=0
_shtab_ptx_ls_mcp___help_nargs=0
_shtab_ptx_ls_completions__h_nargs=0
_shtab_ptx_ls_completions___help_nargs=0
_shtab_ptx_ls_pos_0_nargs=A...
_shtab_ptx_ls__h_nargs=0
_shtab_ptx_ls___help_nargs=0
_shtab_ptx_ls__V_nargs=0
_shtab_ptx_ls___version_nargs=0


# Custom Preamble
# $1: what is typed of a list with commas; the others: all names
_ptx_ls_list() {
  local typed="$1" before=""
  [[ $typed == *,* ]] && before="${typed%,*},"
  shift
  compgen -P "$before" -W "$*" -- "${typed##*,}"
}
_ptx_ls_rules() {
  _ptx_ls_list "$1" absent-lane address-round-trip allocation-after-relinquish array-index array-size async bank-conflict barrier-count barrier-without-partner cacheable-load call-arguments carry-chain comments constant-bank constant-comparison constant-condition constant-division constant-expression constant-loop-condition constant-parity constant-pointer constant-result contradictory-conditions correctness declarations deprecated-feature directive-value divergent-barrier divergent-collective double-precision duplicate-declaration duplicate-destination duplicate-label duplicate-modifier early-bulk-read early-copy-access early-grid-access early-publication early-remote-access early-slot-access early-slot-release early-tensor-read empty-member-mask emulated-instruction endless-loop endless-wait exchanged-halves exit-before-collective exit-before-peers false-uniform-branch float-as-integer float-division float-domain foreign-line fragment-order freed-tensor-memory function-signature functions generic-access guard-predicate ignored-directive ignored-field ignored-instruction illegal-modifier immediate-range incomplete-member-mask inconsistent-declaration initial-value instructions integer-as-float invalid-address invalid-declaration invalid-suppression known-result launch-bounds legacy-membar local-index loop-direction mbarrier-arrivals mbarrier-bytes mbarrier-lifetime memory-limit memory-performance misaligned-access misplaced-directive misplaced-instruction missing-barrier missing-modifier missing-proxy-fence missing-register-fence missing-return missing-tensor-fence missing-wait mixed-float-formats mixed-groups modifier-order module-header modules names narrow-scope needless-barrier needless-fence negative-constant never-executed no-abi opaque-value operand-count operand-kind operand-limit operand-type operand-width out-of-bounds overflow-before-widening oversized-bit-field oversized-constant oversized-shift overwritten-accumulator overwritten-copy-source overwritten-matrix overwritten-result overwritten-store parameter-access parameter-format parameter-space performance read-only-load reciprocal-root redundant-branch redundant-instruction register-limit register-pragma register-shortage remote-mbarrier removed-feature repeated-arrival repeated-division repeated-tensor-operation reserved-name return-address reused-barrier reversed-register-change scalar-accesses separate-compilation serialising-wait shared-alias shuffle-bounds single-wait source-location split-opcode state-space strong-scope subnormal-handling suppression-without-reason suspicious synchronization syntax syntax-error tensor-map-in-use tensor-memory-leak tensor-memory-size texture-sampler truncated-address truncated-value unacquired-tensor-map unawaited-copy unawaited-tensor-load unawaited-tensor-store unbalanced-brace uncoalesced-access uncommitted-copy uncommitted-matrix uncommitted-tensor-operation uncompilable undeclared-label undeclared-register undeclared-symbol unfused-multiplication unknown-directive unknown-modifier unknown-opcode unknown-stack unknown-target unknown-version unordered-flag unpaired-cluster-barrier unreachable-code unread-carry unread-memory unreleased-tensor-map unresolved-symbol unset-register unsupported-target unsupported-version unused-function unused-label unused-parameter unused-register unused-result unused-suppression unused-variable unwritten-memory vector-size warp-reduction weak-spin wide-arithmetic wrong-address-space wrong-parity zero-divisor zero-extended-index
}
_ptx_ls_targets() {
  _ptx_ls_list "$1" sm_10 sm_11 sm_12 sm_13 sm_20 sm_21 sm_30 sm_32 sm_35 sm_37 sm_50 sm_52 sm_53 sm_60 sm_61 sm_62 sm_70 sm_72 sm_75 sm_80 sm_82 sm_86 sm_87 sm_88 sm_89 sm_90 sm_90a sm_100 sm_100a sm_100f sm_101 sm_101a sm_101f sm_103 sm_103a sm_103f sm_107 sm_107a sm_107f sm_110 sm_110a sm_110f sm_120 sm_120a sm_120f sm_121 sm_121a sm_121f
}
_ptx_ls_reports() {
  compgen -S : -W "full concise grouped json jsonl sarif github gitlab junit checkstyle rdjson pylint azure" -- "$1"
}
_ptx_ls_versions() {
  compgen -W "'1.0' '1.1' '1.2' '1.3' '1.4' '1.5' '2.0' '2.1' '2.2' '2.3' '3.0' '3.1' '3.2' '4.0' '4.1' '4.2' '4.3' '5.0' '6.0' '6.1' '6.2' '6.3' '6.4' '6.5' '7.0' '7.1' '7.2' '7.3' '7.4' '7.5' '7.6' '7.7' '7.8' '8.0' '8.1' '8.2' '8.3' '8.4' '8.5' '8.6' '8.7' '8.8' '9.0' '9.1' '9.2' '9.3' '9.4' '9.5'" -- "$1" | sed "s/ /\\ /g"
}
_ptx_ls_rule() {
  compgen -W "'constant-parity' 'early-bulk-read' 'early-copy-access' 'early-publication' 'early-slot-access' 'early-slot-release' 'endless-wait' 'mbarrier-arrivals' 'mbarrier-bytes' 'mbarrier-lifetime' 'missing-proxy-fence' 'overwritten-copy-source' 'remote-mbarrier' 'single-wait' 'unawaited-copy' 'uncommitted-copy' 'wrong-parity' 'allocation-after-relinquish' 'early-grid-access' 'early-remote-access' 'early-tensor-read' 'exit-before-peers' 'freed-tensor-memory' 'missing-register-fence' 'missing-tensor-fence' 'overwritten-accumulator' 'overwritten-matrix' 'register-shortage' 'repeated-arrival' 'repeated-tensor-operation' 'reversed-register-change' 'tensor-map-in-use' 'tensor-memory-leak' 'tensor-memory-size' 'unacquired-tensor-map' 'unawaited-tensor-load' 'unawaited-tensor-store' 'uncommitted-matrix' 'uncommitted-tensor-operation' 'unpaired-cluster-barrier' 'unreleased-tensor-map' 'invalid-suppression' 'suppression-without-reason' 'unused-suppression' 'carry-chain' 'constant-loop-condition' 'duplicate-destination' 'empty-member-mask' 'endless-loop' 'exchanged-halves' 'float-as-integer' 'fragment-order' 'incomplete-member-mask' 'integer-as-float' 'invalid-address' 'launch-bounds' 'misaligned-access' 'missing-return' 'mixed-float-formats' 'operand-limit' 'out-of-bounds' 'oversized-bit-field' 'oversized-constant' 'oversized-shift' 'read-only-load' 'shuffle-bounds' 'truncated-address' 'truncated-value' 'unset-register' 'unwritten-memory' 'wrong-address-space' 'zero-divisor' 'array-index' 'array-size' 'constant-bank' 'constant-expression' 'directive-value' 'ignored-field' 'initial-value' 'invalid-declaration' 'memory-limit' 'opaque-value' 'parameter-space' 'call-arguments' 'function-signature' 'no-abi' 'register-pragma' 'return-address' 'separate-compilation' 'uncompilable' 'unknown-stack' 'constant-pointer' 'duplicate-modifier' 'guard-predicate' 'ignored-instruction' 'illegal-modifier' 'immediate-range' 'missing-modifier' 'missing-wait' 'mixed-groups' 'modifier-order' 'operand-count' 'operand-kind' 'operand-type' 'operand-width' 'parameter-access' 'state-space' 'texture-sampler' 'unknown-modifier' 'unknown-opcode' 'vector-size' 'bank-conflict' 'needless-barrier' 'needless-fence' 'serialising-wait' 'strong-scope' 'uncoalesced-access' 'deprecated-feature' 'ignored-directive' 'module-header' 'removed-feature' 'source-location' 'unknown-target' 'unknown-version' 'unsupported-target' 'unsupported-version' 'duplicate-declaration' 'duplicate-label' 'inconsistent-declaration' 'reserved-name' 'undeclared-label' 'undeclared-register' 'undeclared-symbol' 'unresolved-symbol' 'address-round-trip' 'cacheable-load' 'constant-division' 'double-precision' 'emulated-instruction' 'float-division' 'generic-access' 'local-index' 'reciprocal-root' 'register-limit' 'repeated-division' 'scalar-accesses' 'subnormal-handling' 'unfused-multiplication' 'warp-reduction' 'wide-arithmetic' 'constant-comparison' 'constant-condition' 'constant-result' 'contradictory-conditions' 'float-domain' 'known-result' 'loop-direction' 'negative-constant' 'never-executed' 'overflow-before-widening' 'overwritten-result' 'overwritten-store' 'parameter-format' 'redundant-branch' 'redundant-instruction' 'shared-alias' 'unreachable-code' 'unread-carry' 'unread-memory' 'unused-function' 'unused-label' 'unused-parameter' 'unused-register' 'unused-result' 'unused-variable' 'zero-extended-index' 'absent-lane' 'barrier-count' 'barrier-without-partner' 'divergent-barrier' 'divergent-collective' 'exit-before-collective' 'false-uniform-branch' 'legacy-membar' 'missing-barrier' 'narrow-scope' 'reused-barrier' 'unordered-flag' 'weak-spin' 'foreign-line' 'misplaced-directive' 'misplaced-instruction' 'split-opcode' 'syntax-error' 'unbalanced-brace' 'unknown-directive'" -- "$1" | sed "s/ /\\ /g"
}
_ptx_ls_names() {
  compgen -W "'abs' 'add' 'addc' 'bfe' 'bfi' 'bfind' 'bmsk' 'brev' 'clmad' 'clz' 'copysign' 'cos' 'div' 'dp2a' 'dp4a' 'ex2' 'fma' 'fns' 'lg2' 'mad' 'mad24' 'madc' 'max' 'min' 'mul' 'mul24' 'neg' 'popc' 'rcp' 'rem' 'rsqrt' 'sad' 'sin' 'sqrt' 'sub' 'subc' 'szext' 'tanh' 'selp' 'set' 'setp' 'slct' 'testp' 'bra' 'brx' 'call' 'exit' 'ret' 'applypriority' 'cp' 'createpolicy' 'cvt' 'cvta' 'discard' 'fabric' 'getctarank' 'isspacep' 'ld' 'ldu' 'mapa' 'mov' 'multimem' 'prefetch' 'prefetchu' 'prmt' 'shfl' 'st' 'tensormap' 'and' 'cnot' 'lop3' 'not' 'or' 'xor' 'ldmatrix' 'mma' 'movmatrix' 'spcompress' 'spdecompress' 'stmatrix' 'tcgen05' 'wgmma' 'wmma' 'brkpt' 'nanosleep' 'pmevent' 'setmaxnreg' 'trap' 'shf' 'shl' 'shr' 'alloca' 'stackrestore' 'stacksave' 'suld' 'suq' 'sured' 'sust' 'activemask' 'atom' 'bar' 'barrier' 'clusterlaunchcontrol' 'elect' 'fence' 'griddepcontrol' 'match' 'mbarrier' 'membar' 'red' 'redux' 'vote' 'istypep' 'tex' 'tld4' 'txq' 'vabsdiff' 'vabsdiff2' 'vabsdiff4' 'vadd' 'vadd2' 'vadd4' 'vavrg2' 'vavrg4' 'vmad' 'vmax' 'vmax2' 'vmax4' 'vmin' 'vmin2' 'vmin4' 'vset' 'vset2' 'vset4' 'vshl' 'vshr' 'vsub' 'vsub2' 'vsub4' '%tid' '%ntid' '%laneid' '%warpid' '%nwarpid' '%ctaid' '%nctaid' '%smid' '%nsmid' '%gridid' '%is_explicit_cluster' '%clusterid' '%nclusterid' '%cluster_ctaid' '%cluster_nctaid' '%cluster_ctarank' '%cluster_nctarank' '%lanemask_eq' '%lanemask_le' '%lanemask_lt' '%lanemask_ge' '%lanemask_gt' '%clock' '%clock_hi' '%clock64' '%pm' '%pm4' '%pm5' '%pm6' '%pm7' '%envreg' '%globaltimer' '%globaltimer_lo' '%globaltimer_hi' '%reserved_smem_offset_begin' '%reserved_smem_offset_end' '%reserved_smem_offset_cap' '%reserved_smem_offset_' '%total_smem_size' '%aggr_smem_size' '%dynamic_smem_size' '%current_graph_exec' '%perctamemoryoffset' '%perctamemorysize' '%locality_domain_id' '%locality_domain_supplemental_sm' '%pm0_64' '%pm1_64' '%pm2_64' '%pm3_64' '%pm4_64' '%pm5_64' '%pm6_64' '%pm7_64' 'WARP_SZ' 'generic' 'mask' '_' '.version' '.target' '.address_size' '.entry' '.func' '.alias' '.branchtargets' '.calltargets' '.callprototype' '.maxnreg' '.maxntid' '.reqntid' '.minnctapersm' '.maxnctapersm' '.noreturn' '.pragma' '.abi_preserve' '.abi_preserve_control' '.local_maxnreg' '.minperctamemory' '.reqnctapercluster' '.explicitcluster' '.maxclusterrank' '.blocksareclusters' '.language' '@@DWARF' '.section' '.file' '.loc' '.loc_intermediate' '.nv_intermediate_source_section' '.extern' '.visible' '.weak' '.common' '.reg' '.sreg' '.const' '.global' '.local' '.param' '.shared' '.tex' '.surf' '.align' '.attribute' '.managed' '.unified' '.ptr' '.hidden' 'nounroll' 'used_bytes_mask' 'enable_smem_spilling' 'frequency' 'mma_throughput' '.b8' '.b16' '.b32' '.b64' '.b128' '.u8' '.u16' '.u32' '.u64' '.s8' '.s16' '.s32' '.s64' '.f16' '.f16x2' '.f32' '.f64' '.pred' '.bf16' '.bf16x2' '.tf32' '.f32x2' '.e4m3' '.e5m2' '.e2m3' '.e3m2' '.e2m1' '.ue8m0' '.ue4m3' '.ue5m3' '.e4m3x2' '.e5m2x2' '.e2m3x2' '.e3m2x2' '.e2m1x2' '.ue8m0x2' '.ue5m3x2' '.s2f6x2' '.e4m3x4' '.e5m2x4' '.e2m3x4' '.e3m2x4' '.e2m1x4' '.e2m1p4x4' '.ue8m0x4' '.u16x2' '.s16x2' '.u8x4' '.s8x4' '.u4' '.s4' '.u2' '.s2' '.b1' '.b4' '.b2' '.texref' '.samplerref' '.surfref' 'abi' 'constant-expressions' 'conversions' 'matrix-descriptors' 'memory-model' 'swizzle' 'tensors' 'texture-modes' '1.0' '1.1' '1.2' '1.3' '1.4' '1.5' '2.0' '2.1' '2.2' '2.3' '3.0' '3.1' '3.2' '4.0' '4.1' '4.2' '4.3' '5.0' '6.0' '6.1' '6.2' '6.3' '6.4' '6.5' '7.0' '7.1' '7.2' '7.3' '7.4' '7.5' '7.6' '7.7' '7.8' '8.0' '8.1' '8.2' '8.3' '8.4' '8.5' '8.6' '8.7' '8.8' '9.0' '9.1' '9.2' '9.3' '9.4' '9.5' 'sm_10' 'sm_11' 'sm_12' 'sm_13' 'sm_20' 'sm_21' 'sm_30' 'sm_32' 'sm_35' 'sm_37' 'sm_50' 'sm_52' 'sm_53' 'sm_60' 'sm_61' 'sm_62' 'sm_70' 'sm_72' 'sm_75' 'sm_80' 'sm_82' 'sm_86' 'sm_87' 'sm_88' 'sm_89' 'sm_90' 'sm_90a' 'sm_100' 'sm_100a' 'sm_100f' 'sm_101' 'sm_101a' 'sm_101f' 'sm_103' 'sm_103a' 'sm_103f' 'sm_107' 'sm_107a' 'sm_107f' 'sm_110' 'sm_110a' 'sm_110f' 'sm_120' 'sm_120a' 'sm_120f' 'sm_121' 'sm_121a' 'sm_121f' 'texmode_unified' 'texmode_independent' 'debug' 'map_f64_to_f32'" -- "$1" | sed "s/ /\\ /g"
}
_ptx_ls_categories() {
  compgen -W "'arithmetic' 'comparison' 'control flow' 'data movement' 'logic' 'matrix' 'miscellaneous' 'shift' 'stack' 'surface' 'synchronisation' 'texture' 'video' 'special registers' 'predefined names' 'directives' 'pragmas' 'types' 'state spaces' 'chapters' 'versions' 'targets'" -- "$1" | sed "s/ /\\ /g"
}
_ptx_ls_target() {
  compgen -W "'sm_10' 'sm_11' 'sm_12' 'sm_13' 'sm_20' 'sm_21' 'sm_30' 'sm_32' 'sm_35' 'sm_37' 'sm_50' 'sm_52' 'sm_53' 'sm_60' 'sm_61' 'sm_62' 'sm_70' 'sm_72' 'sm_75' 'sm_80' 'sm_82' 'sm_86' 'sm_87' 'sm_88' 'sm_89' 'sm_90' 'sm_90a' 'sm_100' 'sm_100a' 'sm_100f' 'sm_101' 'sm_101a' 'sm_101f' 'sm_103' 'sm_103a' 'sm_103f' 'sm_107' 'sm_107a' 'sm_107f' 'sm_110' 'sm_110a' 'sm_110f' 'sm_120' 'sm_120a' 'sm_120f' 'sm_121' 'sm_121a' 'sm_121f'" -- "$1" | sed "s/ /\\ /g"
}
# End Custom Preamble

# $1=COMP_WORDS[1]
_shtab_compgen_files() {
  compgen -f -- $1  # files
}

# $1=COMP_WORDS[1]
_shtab_compgen_dirs() {
  compgen -d -- $1  # recurse into subdirs
}

# $1=COMP_WORDS[1]
_shtab_replace_nonword() {
  echo "${1//[^[:word:]]/_}"
}

# set default values (called for the initial parser & any subparsers)
_set_parser_defaults() {
  local subparsers_var="${prefix}_subparsers[@]"
  sub_parsers=${!subparsers_var-}

  local current_option_strings_var="${prefix}_option_strings[@]"
  current_option_strings=${!current_option_strings_var}

  completed_positional_actions=0

  _set_new_action "pos_$completed_positional_actions" true
}

# $1=action identifier
# $2=positional action (bool)
# set all identifiers for an action's parameters
_set_new_action() {
  current_action="${prefix}_$(_shtab_replace_nonword $1)"

  local current_action_compgen_var=${current_action}_COMPGEN
  current_action_compgen="${!current_action_compgen_var-}"

  local current_action_choices_var="${current_action}_choices[@]"
  current_action_choices="${!current_action_choices_var-}"

  local current_action_nargs_var="${current_action}_nargs"
  if [ -n "${!current_action_nargs_var-}" ]; then
    current_action_nargs="${!current_action_nargs_var}"
  else
    current_action_nargs=1
  fi

  current_action_args_start_index=$(( $word_index + 1 - $pos_only ))

  current_action_is_positional=$2
}

# Notes:
# `COMPREPLY`: what will be rendered after completion is triggered
# `completing_word`: currently typed word to generate completions for
# `${!var}`: evaluates the content of `var` and expand its content as a variable
#     hello="world"
#     x="hello"
#     ${!x} -> ${hello} -> "world"
_shtab_ptx_ls() {
  local completing_word="${COMP_WORDS[COMP_CWORD]}"
  local previous_word="${COMP_WORDS[COMP_CWORD-1]}"
  local completed_positional_actions
  local current_action
  local current_action_args_start_index
  local current_action_choices
  local current_action_compgen
  local current_action_is_positional
  local current_action_nargs
  local current_option_strings
  local sub_parsers
  COMPREPLY=()

  local prefix=_shtab_ptx_ls
  local word_index=0
  local pos_only=0 # "--" delimiter not encountered yet
  _set_parser_defaults
  word_index=1

  # determine what arguments are appropriate for the current state
  # of the arg parser
  while [ $word_index -ne $COMP_CWORD ]; do
    local this_word="${COMP_WORDS[$word_index]}"

    if [[ $pos_only = 1 || " $this_word " != " -- " ]]; then
      if [[ -n $sub_parsers && " ${sub_parsers[@]} " == *" $this_word "* ]]; then
        # valid subcommand: add it to the prefix & reset the current action
        prefix="${prefix}_$(_shtab_replace_nonword $this_word)"
        _set_parser_defaults
      fi

      if [[ " ${current_option_strings[@]} " == *" $this_word "* ]]; then
        # a new action should be acquired (due to recognised option string or
        # no more input expected from current action);
        # the next positional action can fill in here
        _set_new_action $this_word false
      fi

      if [[ "$current_action_nargs" != "*" ]] && \
         [[ "$current_action_nargs" != "+" ]] && \
         [[ "$current_action_nargs" != "?" ]] && \
         [[ "$current_action_nargs" != *"..." ]] && \
         (( $word_index + 1 - $current_action_args_start_index - $pos_only >= \
            $current_action_nargs )); then
        $current_action_is_positional && let "completed_positional_actions += 1"
        _set_new_action "pos_$completed_positional_actions" true
      fi
    else
      pos_only=1 # "--" delimiter encountered
    fi

    let "word_index+=1"
  done

  # Generate the completions

  COMPREPLY=()
  if [[ $pos_only = 0 && "$completing_word" == -* &&
        ( -z "$current_action_compgen" || "$current_action_is_positional" = true ) ]]; then
    # optional argument started: use option strings
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
      compgen -W "${current_option_strings[*]}" -- "$completing_word")
  elif [[ "$previous_word" =~ ^[0-9\&]*[\<\>]\>?$ ]]; then
    # handle redirection operators
    compopt -o filenames 2>/dev/null || : # bash>=4
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$completing_word")
  else
    # use choices & compgen
    local action_compgen_word="$completing_word"
    # handle tab-completing in the middle of a line (#248 <- #116)
    [[ -n "$current_action_compgen" && "$completing_word" == -* ]] && action_compgen_word=""
    [ -n "$current_action_compgen" ] && {
      [[ "$current_action_compgen" =~ _(file|dir|glob|FILE|DIR|GLOB)|File|Dir|Glob ]] &&
        compopt -o filenames 2>/dev/null || : # bash>=4
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
        "$current_action_compgen" "$action_compgen_word")
    }
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
      compgen -W "${current_action_choices[*]}" -- "$completing_word")
  fi

  if [[ ${#COMPREPLY[@]} = 0 ]]; then
    # native fallback matches are not necessarily filenames (e.g. variables)
    compopt +o filenames 2>/dev/null || : # bash>=4
  fi

  return 0
}

complete -o bashdefault -F _shtab_ptx_ls ptx-ls
# bash splits words at `=` and `:`. `--option=value` is read as two words; a file follows `FORMAT:`.
_ptx_ls_words() {
  local -a words=()
  local i current=0
  for ((i = 0; i <= COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} == "=" && $i -lt $COMP_CWORD ]]; then continue; fi
    words+=("${COMP_WORDS[i]}")
  done
  current=$((${#words[@]} - 1))
  local word="${words[current]}"
  COMPREPLY=()
  if [[ $word == ":" || ($current -gt 0 && ${words[current - 1]} == ":") ]]; then
    compopt -o filenames 2>/dev/null
    local path
    while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen -f -- "${word#:}")
    return
  fi
  if [[ $word == "=" ]]; then words[current]=""; fi
  local -a COMP_WORDS=("${words[@]}")
  local COMP_CWORD=$current
  _shtab_ptx_ls
  if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *: ]]; then compopt -o nospace; fi
}
complete -o bashdefault -F _ptx_ls_words ptx-ls
