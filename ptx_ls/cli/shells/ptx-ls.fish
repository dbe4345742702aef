# Written by `./dev docs` with https://github.com/tqdm/shtab
# Usage:
# 1) Copy this to ~/.config/fish/completions/ptx-ls.fish
# 2) Ensure a binary named ptx-ls is in your PATH
# See also: https://fishshell.com/docs/current/completions.html#where-to-put-completions

# Custom Preamble
# The typed value: all of the word, or what follows `--option=`
function _ptx_ls_typed
  commandline -ct | string replace -r '^--[^=]*=' ''
end
# The arguments: all names of a list with commas
function _ptx_ls_list
  set -l before (string replace -r '[^,]*$' '' -- (_ptx_ls_typed))
  printf "$before%s\n" $argv
end
function _ptx_ls_rules
  _ptx_ls_list absent-lane address-round-trip allocation-after-relinquish array-index array-size async bank-conflict barrier-count barrier-without-partner cacheable-load call-arguments carry-chain comments constant-bank constant-comparison constant-condition constant-division constant-expression constant-loop-condition constant-parity constant-pointer constant-result contradictory-conditions correctness declarations deprecated-feature directive-value divergent-barrier divergent-collective double-precision duplicate-declaration duplicate-destination duplicate-label duplicate-modifier early-bulk-read early-copy-access early-grid-access early-publication early-remote-access early-slot-access early-slot-release early-tensor-read empty-member-mask emulated-instruction endless-loop endless-wait exchanged-halves exit-before-collective exit-before-peers false-uniform-branch float-as-integer float-division float-domain foreign-line fragment-order freed-tensor-memory function-signature functions generic-access guard-predicate ignored-directive ignored-field ignored-instruction illegal-modifier immediate-range incomplete-member-mask inconsistent-declaration initial-value instructions integer-as-float invalid-address invalid-declaration invalid-suppression known-result launch-bounds legacy-membar local-index loop-direction mbarrier-arrivals mbarrier-bytes mbarrier-lifetime memory-limit memory-performance misaligned-access misplaced-directive misplaced-instruction missing-barrier missing-modifier missing-proxy-fence missing-register-fence missing-return missing-tensor-fence missing-wait mixed-float-formats mixed-groups modifier-order module-header modules names narrow-scope needless-barrier needless-fence negative-constant never-executed no-abi opaque-value operand-count operand-kind operand-limit operand-type operand-width out-of-bounds overflow-before-widening oversized-bit-field oversized-constant oversized-shift overwritten-accumulator overwritten-copy-source overwritten-matrix overwritten-result overwritten-store parameter-access parameter-format parameter-space performance read-only-load reciprocal-root redundant-branch redundant-instruction register-limit register-pragma register-shortage remote-mbarrier removed-feature repeated-arrival repeated-division repeated-tensor-operation reserved-name return-address reused-barrier reversed-register-change scalar-accesses separate-compilation serialising-wait shared-alias shuffle-bounds single-wait source-location split-opcode state-space strong-scope subnormal-handling suppression-without-reason suspicious synchronization syntax syntax-error tensor-map-in-use tensor-memory-leak tensor-memory-size texture-sampler truncated-address truncated-value unacquired-tensor-map unawaited-copy unawaited-tensor-load unawaited-tensor-store unbalanced-brace uncoalesced-access uncommitted-copy uncommitted-matrix uncommitted-tensor-operation uncompilable undeclared-label undeclared-register undeclared-symbol unfused-multiplication unknown-directive unknown-modifier unknown-opcode unknown-stack unknown-target unknown-version unordered-flag unpaired-cluster-barrier unreachable-code unread-carry unread-memory unreleased-tensor-map unresolved-symbol unset-register unsupported-target unsupported-version unused-function unused-label unused-parameter unused-register unused-result unused-suppression unused-variable unwritten-memory vector-size warp-reduction weak-spin wide-arithmetic wrong-address-space wrong-parity zero-divisor zero-extended-index
end
function _ptx_ls_targets
  _ptx_ls_list sm_10 sm_11 sm_12 sm_13 sm_20 sm_21 sm_30 sm_32 sm_35 sm_37 sm_50 sm_52 sm_53 sm_60 sm_61 sm_62 sm_70 sm_72 sm_75 sm_80 sm_82 sm_86 sm_87 sm_88 sm_89 sm_90 sm_90a sm_100 sm_100a sm_100f sm_101 sm_101a sm_101f sm_103 sm_103a sm_103f sm_107 sm_107a sm_107f sm_110 sm_110a sm_110f sm_120 sm_120a sm_120f sm_121 sm_121a sm_121f
end
function _ptx_ls_reports
  set -l parts (string split -m 1 : -- (_ptx_ls_typed))
  if set -q parts[2]
    printf "$parts[1]:%s\n" (__fish_complete_path $parts[2])
  else
    printf '%s:\n' full concise grouped json jsonl sarif github gitlab junit checkstyle rdjson pylint azure
  end
end
function _ptx_ls_versions
  printf '%s\n' '1.0' '1.1' '1.2' '1.3' '1.4' '1.5' '2.0' '2.1' '2.2' '2.3' '3.0' '3.1' '3.2' '4.0' '4.1' '4.2' '4.3' '5.0' '6.0' '6.1' '6.2' '6.3' '6.4' '6.5' '7.0' '7.1' '7.2' '7.3' '7.4' '7.5' '7.6' '7.7' '7.8' '8.0' '8.1' '8.2' '8.3' '8.4' '8.5' '8.6' '8.7' '8.8' '9.0' '9.1' '9.2' '9.3' '9.4' '9.5'
end
function _ptx_ls_rule
  printf '%s\n' 'constant-parity' 'early-bulk-read' 'early-copy-access' 'early-publication' 'early-slot-access' 'early-slot-release' 'endless-wait' 'mbarrier-arrivals' 'mbarrier-bytes' 'mbarrier-lifetime' 'missing-proxy-fence' 'overwritten-copy-source' 'remote-mbarrier' 'single-wait' 'unawaited-copy' 'uncommitted-copy' 'wrong-parity' 'allocation-after-relinquish' 'early-grid-access' 'early-remote-access' 'early-tensor-read' 'exit-before-peers' 'freed-tensor-memory' 'missing-register-fence' 'missing-tensor-fence' 'overwritten-accumulator' 'overwritten-matrix' 'register-shortage' 'repeated-arrival' 'repeated-tensor-operation' 'reversed-register-change' 'tensor-map-in-use' 'tensor-memory-leak' 'tensor-memory-size' 'unacquired-tensor-map' 'unawaited-tensor-load' 'unawaited-tensor-store' 'uncommitted-matrix' 'uncommitted-tensor-operation' 'unpaired-cluster-barrier' 'unreleased-tensor-map' 'invalid-suppression' 'suppression-without-reason' 'unused-suppression' 'carry-chain' 'constant-loop-condition' 'duplicate-destination' 'empty-member-mask' 'endless-loop' 'exchanged-halves' 'float-as-integer' 'fragment-order' 'incomplete-member-mask' 'integer-as-float' 'invalid-address' 'launch-bounds' 'misaligned-access' 'missing-return' 'mixed-float-formats' 'operand-limit' 'out-of-bounds' 'oversized-bit-field' 'oversized-constant' 'oversized-shift' 'read-only-load' 'shuffle-bounds' 'truncated-address' 'truncated-value' 'unset-register' 'unwritten-memory' 'wrong-address-space' 'zero-divisor' 'array-index' 'array-size' 'constant-bank' 'constant-expression' 'directive-value' 'ignored-field' 'initial-value' 'invalid-declaration' 'memory-limit' 'opaque-value' 'parameter-space' 'call-arguments' 'function-signature' 'no-abi' 'register-pragma' 'return-address' 'separate-compilation' 'uncompilable' 'unknown-stack' 'constant-pointer' 'duplicate-modifier' 'guard-predicate' 'ignored-instruction' 'illegal-modifier' 'immediate-range' 'missing-modifier' 'missing-wait' 'mixed-groups' 'modifier-order' 'operand-count' 'operand-kind' 'operand-type' 'operand-width' 'parameter-access' 'state-space' 'texture-sampler' 'unknown-modifier' 'unknown-opcode' 'vector-size' 'bank-conflict' 'needless-barrier' 'needless-fence' 'serialising-wait' 'strong-scope' 'uncoalesced-access' 'deprecated-feature' 'ignored-directive' 'module-header' 'removed-feature' 'source-location' 'unknown-target' 'unknown-version' 'unsupported-target' 'unsupported-version' 'duplicate-declaration' 'duplicate-label' 'inconsistent-declaration' 'reserved-name' 'undeclared-label' 'undeclared-register' 'undeclared-symbol' 'unresolved-symbol' 'address-round-trip' 'cacheable-load' 'constant-division' 'double-precision' 'emulated-instruction' 'float-division' 'generic-access' 'local-index' 'reciprocal-root' 'register-limit' 'repeated-division' 'scalar-accesses' 'subnormal-handling' 'unfused-multiplication' 'warp-reduction' 'wide-arithmetic' 'constant-comparison' 'constant-condition' 'constant-result' 'contradictory-conditions' 'float-domain' 'known-result' 'loop-direction' 'negative-constant' 'never-executed' 'overflow-before-widening' 'overwritten-result' 'overwritten-store' 'parameter-format' 'redundant-branch' 'redundant-instruction' 'shared-alias' 'unreachable-code' 'unread-carry' 'unread-memory' 'unused-function' 'unused-label' 'unused-parameter' 'unused-register' 'unused-result' 'unused-variable' 'zero-extended-index' 'absent-lane' 'barrier-count' 'barrier-without-partner' 'divergent-barrier' 'divergent-collective' 'exit-before-collective' 'false-uniform-branch' 'legacy-membar' 'missing-barrier' 'narrow-scope' 'reused-barrier' 'unordered-flag' 'weak-spin' 'foreign-line' 'misplaced-directive' 'misplaced-instruction' 'split-opcode' 'syntax-error' 'unbalanced-brace' 'unknown-directive'
end
function _ptx_ls_categories
  printf '%s\n' 'arithmetic' 'comparison' 'control flow' 'data movement' 'logic' 'matrix' 'miscellaneous' 'shift' 'stack' 'surface' 'synchronisation' 'texture' 'video' 'special registers' 'predefined names' 'directives' 'pragmas' 'types' 'state spaces' 'chapters' 'versions' 'targets'
end
function _ptx_ls_names
  printf '%s\n' 'abs' 'add' 'addc' 'bfe' 'bfi' 'bfind' 'bmsk' 'brev' 'clmad' 'clz' 'copysign' 'cos' 'div' 'dp2a' 'dp4a' 'ex2' 'fma' 'fns' 'lg2' 'mad' 'mad24' 'madc' 'max' 'min' 'mul' 'mul24' 'neg' 'popc' 'rcp' 'rem' 'rsqrt' 'sad' 'sin' 'sqrt' 'sub' 'subc' 'szext' 'tanh' 'selp' 'set' 'setp' 'slct' 'testp' 'bra' 'brx' 'call' 'exit' 'ret' 'applypriority' 'cp' 'createpolicy' 'cvt' 'cvta' 'discard' 'fabric' 'getctarank' 'isspacep' 'ld' 'ldu' 'mapa' 'mov' 'multimem' 'prefetch' 'prefetchu' 'prmt' 'shfl' 'st' 'tensormap' 'and' 'cnot' 'lop3' 'not' 'or' 'xor' 'ldmatrix' 'mma' 'movmatrix' 'spcompress' 'spdecompress' 'stmatrix' 'tcgen05' 'wgmma' 'wmma' 'brkpt' 'nanosleep' 'pmevent' 'setmaxnreg' 'trap' 'shf' 'shl' 'shr' 'alloca' 'stackrestore' 'stacksave' 'suld' 'suq' 'sured' 'sust' 'activemask' 'atom' 'bar' 'barrier' 'clusterlaunchcontrol' 'elect' 'fence' 'griddepcontrol' 'match' 'mbarrier' 'membar' 'red' 'redux' 'vote' 'istypep' 'tex' 'tld4' 'txq' 'vabsdiff' 'vabsdiff2' 'vabsdiff4' 'vadd' 'vadd2' 'vadd4' 'vavrg2' 'vavrg4' 'vmad' 'vmax' 'vmax2' 'vmax4' 'vmin' 'vmin2' 'vmin4' 'vset' 'vset2' 'vset4' 'vshl' 'vshr' 'vsub' 'vsub2' 'vsub4' '%tid' '%ntid' '%laneid' '%warpid' '%nwarpid' '%ctaid' '%nctaid' '%smid' '%nsmid' '%gridid' '%is_explicit_cluster' '%clusterid' '%nclusterid' '%cluster_ctaid' '%cluster_nctaid' '%cluster_ctarank' '%cluster_nctarank' '%lanemask_eq' '%lanemask_le' '%lanemask_lt' '%lanemask_ge' '%lanemask_gt' '%clock' '%clock_hi' '%clock64' '%pm' '%pm4' '%pm5' '%pm6' '%pm7' '%envreg' '%globaltimer' '%globaltimer_lo' '%globaltimer_hi' '%reserved_smem_offset_begin' '%reserved_smem_offset_end' '%reserved_smem_offset_cap' '%reserved_smem_offset_' '%total_smem_size' '%aggr_smem_size' '%dynamic_smem_size' '%current_graph_exec' '%perctamemoryoffset' '%perctamemorysize' '%locality_domain_id' '%locality_domain_supplemental_sm' '%pm0_64' '%pm1_64' '%pm2_64' '%pm3_64' '%pm4_64' '%pm5_64' '%pm6_64' '%pm7_64' 'WARP_SZ' 'generic' 'mask' '_' '.version' '.target' '.address_size' '.entry' '.func' '.alias' '.branchtargets' '.calltargets' '.callprototype' '.maxnreg' '.maxntid' '.reqntid' '.minnctapersm' '.maxnctapersm' '.noreturn' '.pragma' '.abi_preserve' '.abi_preserve_control' '.local_maxnreg' '.minperctamemory' '.reqnctapercluster' '.explicitcluster' '.maxclusterrank' '.blocksareclusters' '.language' '@@DWARF' '.section' '.file' '.loc' '.loc_intermediate' '.nv_intermediate_source_section' '.extern' '.visible' '.weak' '.common' '.reg' '.sreg' '.const' '.global' '.local' '.param' '.shared' '.tex' '.surf' '.align' '.attribute' '.managed' '.unified' '.ptr' '.hidden' 'nounroll' 'used_bytes_mask' 'enable_smem_spilling' 'frequency' 'mma_throughput' '.b8' '.b16' '.b32' '.b64' '.b128' '.u8' '.u16' '.u32' '.u64' '.s8' '.s16' '.s32' '.s64' '.f16' '.f16x2' '.f32' '.f64' '.pred' '.bf16' '.bf16x2' '.tf32' '.f32x2' '.e4m3' '.e5m2' '.e2m3' '.e3m2' '.e2m1' '.ue8m0' '.ue4m3' '.ue5m3' '.e4m3x2' '.e5m2x2' '.e2m3x2' '.e3m2x2' '.e2m1x2' '.ue8m0x2' '.ue5m3x2' '.s2f6x2' '.e4m3x4' '.e5m2x4' '.e2m3x4' '.e3m2x4' '.e2m1x4' '.e2m1p4x4' '.ue8m0x4' '.u16x2' '.s16x2' '.u8x4' '.s8x4' '.u4' '.s4' '.u2' '.s2' '.b1' '.b4' '.b2' '.texref' '.samplerref' '.surfref' 'abi' 'constant-expressions' 'conversions' 'matrix-descriptors' 'memory-model' 'swizzle' 'tensors' 'texture-modes' '1.0' '1.1' '1.2' '1.3' '1.4' '1.5' '2.0' '2.1' '2.2' '2.3' '3.0' '3.1' '3.2' '4.0' '4.1' '4.2' '4.3' '5.0' '6.0' '6.1' '6.2' '6.3' '6.4' '6.5' '7.0' '7.1' '7.2' '7.3' '7.4' '7.5' '7.6' '7.7' '7.8' '8.0' '8.1' '8.2' '8.3' '8.4' '8.5' '8.6' '8.7' '8.8' '9.0' '9.1' '9.2' '9.3' '9.4' '9.5' 'sm_10' 'sm_11' 'sm_12' 'sm_13' 'sm_20' 'sm_21' 'sm_30' 'sm_32' 'sm_35' 'sm_37' 'sm_50' 'sm_52' 'sm_53' 'sm_60' 'sm_61' 'sm_62' 'sm_70' 'sm_72' 'sm_75' 'sm_80' 'sm_82' 'sm_86' 'sm_87' 'sm_88' 'sm_89' 'sm_90' 'sm_90a' 'sm_100' 'sm_100a' 'sm_100f' 'sm_101' 'sm_101a' 'sm_101f' 'sm_103' 'sm_103a' 'sm_103f' 'sm_107' 'sm_107a' 'sm_107f' 'sm_110' 'sm_110a' 'sm_110f' 'sm_120' 'sm_120a' 'sm_120f' 'sm_121' 'sm_121a' 'sm_121f' 'texmode_unified' 'texmode_independent' 'debug' 'map_f64_to_f32'
end
function _ptx_ls_target
  printf '%s\n' 'sm_10' 'sm_11' 'sm_12' 'sm_13' 'sm_20' 'sm_21' 'sm_30' 'sm_32' 'sm_35' 'sm_37' 'sm_50' 'sm_52' 'sm_53' 'sm_60' 'sm_61' 'sm_62' 'sm_70' 'sm_72' 'sm_75' 'sm_80' 'sm_82' 'sm_86' 'sm_87' 'sm_88' 'sm_89' 'sm_90' 'sm_90a' 'sm_100' 'sm_100a' 'sm_100f' 'sm_101' 'sm_101a' 'sm_101f' 'sm_103' 'sm_103a' 'sm_103f' 'sm_107' 'sm_107a' 'sm_107f' 'sm_110' 'sm_110a' 'sm_110f' 'sm_120' 'sm_120a' 'sm_120f' 'sm_121' 'sm_121a' 'sm_121f'
end
# End Custom Preamble

# Parse current commandline:
# - _shtab_ptx_ls_cmdpath=(sub)command path seen so far
# - _shtab_ptx_ls_npos=number of positional arguments given after it
# - options are skipped based on _shtab_ptx_ls_opts_with_value & _shtab_ptx_ls_commands lists
function _shtab_ptx_ls_scan
  set -g _shtab_ptx_ls_cmdpath ''
  set -g _shtab_ptx_ls_npos 0
  set -l tokens (commandline -opc)
  set -e tokens[1]
  set -l expect_value 0
  for t in $tokens
    if test $expect_value -eq 1
      set expect_value 0
      continue
    end
    switch "$t"
      case '--*=*'
        continue
      case '-*'
        if contains -- $t $_shtab_ptx_ls_opts_with_value
          set expect_value 1
        end
        continue
      case '*'
        if test $_shtab_ptx_ls_npos -eq 0
          set -l candidate $t
          if test -n "$_shtab_ptx_ls_cmdpath"
            set candidate "$_shtab_ptx_ls_cmdpath $t"
          end
          if contains -- $candidate $_shtab_ptx_ls_commands
            set -g _shtab_ptx_ls_cmdpath $candidate
            continue
          end
        end
        set -g _shtab_ptx_ls_npos (math $_shtab_ptx_ls_npos + 1)
    end
  end
end

# Condition helper: true if the current (sub)command path equals the given one.
function _shtab_ptx_ls_using
  _shtab_ptx_ls_scan
  test "$_shtab_ptx_ls_cmdpath" = "$argv"
end

set -g _shtab_ptx_ls_commands lint format explain rules isa requirements cfg pressure sync cache diff normalize serve mcp completions
set -g _shtab_ptx_ls_opts_with_value --allow-origin --baseline --blank-lines --cache-dir --category --color --comment-column --config --driver --exclude --extend-select --fail-on --folder --format --function --ignore --indent --isa-version --jobs --max-alike --max-version --operand-column --output --output-format --range --reason --scheduler --select --severity --stdin-filename --target --tcp --token-file --toolkit --unified --version --width --ws -U -j -o

complete -c ptx-ls -e
complete -c ptx-ls -f

complete -c ptx-ls -n _shtab_ptx_ls_using -s h -l help -d 'show this help message and exit'
complete -c ptx-ls -n _shtab_ptx_ls_using -s V -l version -d 'print the version'
complete -c ptx-ls -n '_shtab_ptx_ls_using; and test $_shtab_ptx_ls_npos -eq 0' -a lint -d 'Check files and directories of PTX.'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -s h -l help -d 'show this help message and exit'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l output-format -xka "full concise grouped json jsonl sarif github gitlab junit checkstyle rdjson pylint azure" -d 'the format of the report: full, concise, grouped, json, jsonl, sarif, github, gitlab, junit, checkstyle, rdjson, pylint, azure (default: full)'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l json -d 'the same as --output-format json'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l output -xka "(_ptx_ls_reports)" -d 'also write a report to a file, such as `sarif:findings.sarif`; may be repeated'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l statistics -d 'print the number of findings of each rule instead of a report'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l max-alike -x -d 'show at most N of the findings in a file that differ only in names and numbers; 0 shows all (default: 50; only for full, concise and grouped)'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l severity -xka "error warning information hint" -d 'the lowest severity to report (default: information; hints are for editors)'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l fail-on -xka "error warning information hint never" -d 'the lowest severity that makes the exit status 1; findings at or above it are always reported (default: error, or as configured for the current directory)'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l fix -d 'apply the fixes that are certain to be correct'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l unsafe-fixes -d 'include fixes that may hide a mistake, for example by inserting punctuation or by removing an instruction whose result is never used; without --fix or --diff, print the report, with the fixes as a patch'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l diff -d 'print a patch with the changes that --fix would make, instead of a report; change no file'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l exit-zero -d 'the same as --fail-on never'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l show-files -d 'print the files that would be checked'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l watch -d 'check again whenever a file changes; Ctrl-C stops'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -s j -l jobs -x -d 'maximum number of processes (default: one per processor)'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l stdin-filename -x -d 'read standard input as if it were this file: reports show the name, and the settings of the file apply'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l color -xka "auto always never" -d 'when to colour the output (default: auto, that is, on a terminal)'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -s q -l quiet -d 'print no summary and no progress'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l scheduler -x -d 'check the files on the Dask cluster at ADDRESS, such as tcp://127.0.0.1:8786; needs `pip install '"'"'ptx-ls[dask]'"'"'`'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l target -xka "(_ptx_ls_targets)" -d 'check each file against these targets instead of its `.target`'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l isa-version -xka "(_ptx_ls_versions)" -d 'check each file against PTX ISA V instead of its `.version`'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l max-version -xka "(_ptx_ls_versions)" -d 'report features that need a PTX ISA version newer than V'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l toolkit -x -d 'report features that CUDA Toolkit V, such as 12.4, does not support'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l driver -x -d 'report features that driver V, such as 550 or 550.54.14, does not support'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l select -xka "(_ptx_ls_rules)" -d 'turn on only these rules and groups, separated by commas'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l extend-select -xka "(_ptx_ls_rules)" -d 'also turn on these rules and groups'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l ignore -xka "(_ptx_ls_rules)" -d 'turn off these rules and groups'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l add-suppressions -d 'suppress all current findings by adding a comment to each line with findings'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l reason -x -d 'the reason that --add-suppressions writes in the comments'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l baseline -xka "(__fish_complete_path (commandline -ct))" -d 'do not report the findings that this file lists by rule, function and statement'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l update-baseline -d 'write all findings to the baseline instead of reporting them'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l shrink-baseline -d 'remove findings that no longer occur from the baseline'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l strict-baseline -d 'exit with status 1 if a finding in the baseline no longer occurs'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l config -xka "(__fish_complete_path (commandline -ct))" -d 'use this file instead of the nearest `ptx-ls.toml` or `pyproject.toml`'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l isolated -d 'use no configuration file and no `.editorconfig`'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l exclude -x -d 'skip paths that match this `.gitignore` pattern, relative to the current directory; may be repeated'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l force-exclude -d 'skip excluded files even if they are given on the command line'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l no-respect-gitignore -d 'also read files that git ignores'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l show-settings -d 'print the settings that apply to the first file'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l cache-dir -xka "(__fish_complete_directories)" -d 'the cache folder (default: PTX_LS_CACHE_DIR, or a folder in the user'"'"'s cache folder)'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint' -l no-cache -d 'check all files, and do not store the results'
complete -c ptx-ls -n '_shtab_ptx_ls_using lint; and test $_shtab_ptx_ls_npos -ge 0' -ka "(__fish_complete_path (commandline -ct))" -d 'a file, a directory to search for *.ptx files (hidden directories are skipped), or `-` for standard input'
complete -c ptx-ls -n '_shtab_ptx_ls_using; and test $_shtab_ptx_ls_npos -eq 0' -a format -d 'Format columns, indentation and blank lines; only white space changes.'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -s h -l help -d 'show this help message and exit'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -l check -d 'list the files that would change, and change none'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -l diff -d 'print a patch, and change no file'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -l output-format -xka "concise json" -d 'the format of the output; json prints the files that --check finds, and requires --check (default: concise)'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -l json -d 'the same as --output-format json'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -l range -x -d 'format only the statements in a range of lines (`5-9`, `5-` or `-9`) or between two positions LINE:COLUMN (`5:3-9:1`)'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -s j -l jobs -x -d 'maximum number of processes (default: one per processor)'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -l stdin-filename -x -d 'read standard input as if it were this file: reports show the name, and the settings of the file apply'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -l color -xka "auto always never" -d 'when to colour the output (default: auto, that is, on a terminal)'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -s q -l quiet -d 'print no summary and no progress'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -l indent -x -d 'columns per level of indentation (default: 4)'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -l tabs -d 'indent with tabs; `indent` is then the width of a tab'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -l width -x -d 'line width beyond which lists of operands, values and parameters wrap (default: 100)'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -l operand-column -x -d 'column of the operands, relative to the start of the statement; 0 puts one space after the opcode (default: 20)'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -l comment-column -x -d 'minimum column for trailing comments in function bodies; 0 leaves comments unaligned (default: 40)'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -l blank-lines -x -d 'maximum number of consecutive blank lines (default: 1)'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -l config -xka "(__fish_complete_path (commandline -ct))" -d 'use this file instead of the nearest `ptx-ls.toml` or `pyproject.toml`'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -l isolated -d 'use no configuration file and no `.editorconfig`'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -l exclude -x -d 'skip paths that match this `.gitignore` pattern, relative to the current directory; may be repeated'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -l force-exclude -d 'skip excluded files even if they are given on the command line'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -l no-respect-gitignore -d 'also read files that git ignores'
complete -c ptx-ls -n '_shtab_ptx_ls_using format' -l show-settings -d 'print the settings that apply to the first file'
complete -c ptx-ls -n '_shtab_ptx_ls_using format; and test $_shtab_ptx_ls_npos -ge 0' -ka "(__fish_complete_path (commandline -ct))" -d 'a file, a directory to search for *.ptx files (hidden directories are skipped), or `-` for standard input, whose formatted text goes to standard output'
complete -c ptx-ls -n '_shtab_ptx_ls_using; and test $_shtab_ptx_ls_npos -eq 0' -a explain -d 'Print the page of a rule: what it reports, why, and what to write instead.'
complete -c ptx-ls -n '_shtab_ptx_ls_using explain' -s h -l help -d 'show this help message and exit'
complete -c ptx-ls -n '_shtab_ptx_ls_using explain' -l output-format -xka "markdown json" -d 'the format of the output (default: markdown)'
complete -c ptx-ls -n '_shtab_ptx_ls_using explain' -l json -d 'the same as --output-format json'
complete -c ptx-ls -n '_shtab_ptx_ls_using explain' -s o -l output -xka "(__fish_complete_path (commandline -ct))" -d 'write to FILE instead of standard output'
complete -c ptx-ls -n '_shtab_ptx_ls_using explain' -l color -xka "auto always never" -d 'when to lay out and colour pages instead of printing Markdown (default: auto, that is, on a terminal)'
complete -c ptx-ls -n '_shtab_ptx_ls_using explain; and test $_shtab_ptx_ls_npos -ge 0' -ka "(_ptx_ls_rule)" -d 'the name of a rule, the name of a group to list its rules, or words to search for in the pages of all rules'
complete -c ptx-ls -n '_shtab_ptx_ls_using; and test $_shtab_ptx_ls_npos -eq 0' -a rules -d 'List the rules.'
complete -c ptx-ls -n '_shtab_ptx_ls_using rules' -s h -l help -d 'show this help message and exit'
complete -c ptx-ls -n '_shtab_ptx_ls_using rules' -l output-format -xka "concise json" -d 'the format of the output (default: concise)'
complete -c ptx-ls -n '_shtab_ptx_ls_using rules' -l json -d 'the same as --output-format json'
complete -c ptx-ls -n '_shtab_ptx_ls_using rules' -s o -l output -xka "(__fish_complete_path (commandline -ct))" -d 'write to FILE instead of standard output'
complete -c ptx-ls -n '_shtab_ptx_ls_using; and test $_shtab_ptx_ls_npos -eq 0' -a isa -d 'Print the reference page of an instruction, register, directive, type, ...'
complete -c ptx-ls -n '_shtab_ptx_ls_using isa' -s h -l help -d 'show this help message and exit'
complete -c ptx-ls -n '_shtab_ptx_ls_using isa' -l list -d 'list all names with a summary'
complete -c ptx-ls -n '_shtab_ptx_ls_using isa' -l category -xka "(_ptx_ls_categories)" -d 'list the names in this category'
complete -c ptx-ls -n '_shtab_ptx_ls_using isa' -l stats -d 'print the numbers of opcodes, forms, modifiers, ...'
complete -c ptx-ls -n '_shtab_ptx_ls_using isa' -l output-format -xka "markdown json" -d 'the format of the output; json has all facts, for tools, as described in docs/isa-json.md (default: markdown)'
complete -c ptx-ls -n '_shtab_ptx_ls_using isa' -l json -d 'the same as --output-format json'
complete -c ptx-ls -n '_shtab_ptx_ls_using isa' -s o -l output -xka "(__fish_complete_path (commandline -ct))" -d 'write to FILE instead of standard output'
complete -c ptx-ls -n '_shtab_ptx_ls_using isa' -l color -xka "auto always never" -d 'when to lay out and colour pages instead of printing Markdown (default: auto, that is, on a terminal)'
complete -c ptx-ls -n '_shtab_ptx_ls_using isa; and test $_shtab_ptx_ls_npos -ge 0' -ka "(_ptx_ls_names)" -d 'what to look up; see below'
complete -c ptx-ls -n '_shtab_ptx_ls_using; and test $_shtab_ptx_ls_npos -eq 0' -a requirements -d 'Print the PTX ISA version and target that files need, and the lines that need them.'
complete -c ptx-ls -n '_shtab_ptx_ls_using requirements' -s h -l help -d 'show this help message and exit'
complete -c ptx-ls -n '_shtab_ptx_ls_using requirements' -l version -xka "(_ptx_ls_versions)" -d 'list the features in use that PTX ISA V lacks'
complete -c ptx-ls -n '_shtab_ptx_ls_using requirements' -l target -xka "(_ptx_ls_target)" -d 'list the features in use that this target lacks'
complete -c ptx-ls -n '_shtab_ptx_ls_using requirements' -l output-format -xka "text json" -d 'the format of the output; json includes all details (default: text)'
complete -c ptx-ls -n '_shtab_ptx_ls_using requirements' -l json -d 'the same as --output-format json'
complete -c ptx-ls -n '_shtab_ptx_ls_using requirements' -s o -l output -xka "(__fish_complete_path (commandline -ct))" -d 'write to FILE instead of standard output'
complete -c ptx-ls -n '_shtab_ptx_ls_using requirements; and test $_shtab_ptx_ls_npos -ge 0' -ka "(__fish_complete_path (commandline -ct))" -d 'a file, a directory to search for *.ptx files (hidden directories are skipped), or `-` for standard input'
complete -c ptx-ls -n '_shtab_ptx_ls_using; and test $_shtab_ptx_ls_npos -eq 0' -a cfg -d 'Draw the control flow of a function, as SVG or for Graphviz.'
complete -c ptx-ls -n '_shtab_ptx_ls_using cfg' -s h -l help -d 'show this help message and exit'
complete -c ptx-ls -n '_shtab_ptx_ls_using cfg' -l function -x -d 'the name of the function to draw, or a unique part of the name; needed if the file has several functions'
complete -c ptx-ls -n '_shtab_ptx_ls_using cfg' -l output-format -l format -xka "svg dot" -d 'the format of the picture (default: dot if the output file is *.dot or *.gv, else svg)'
complete -c ptx-ls -n '_shtab_ptx_ls_using cfg' -s o -l output -xka "(__fish_complete_path (commandline -ct))" -d 'write to FILE instead of standard output'
complete -c ptx-ls -n '_shtab_ptx_ls_using cfg; and test $_shtab_ptx_ls_npos -ge 0' -ka "(__fish_complete_path (commandline -ct))" -d 'a file, or `-` for standard input'
complete -c ptx-ls -n '_shtab_ptx_ls_using; and test $_shtab_ptx_ls_npos -eq 0' -a pressure -d 'Print where the most registers are live, and how many.'
complete -c ptx-ls -n '_shtab_ptx_ls_using pressure' -s h -l help -d 'show this help message and exit'
complete -c ptx-ls -n '_shtab_ptx_ls_using pressure' -l function -x -d 'show only functions whose name contains NAME'
complete -c ptx-ls -n '_shtab_ptx_ls_using pressure' -l output-format -xka "text json svg" -d 'the format of the output; json includes every line, and svg is a picture (default: text)'
complete -c ptx-ls -n '_shtab_ptx_ls_using pressure' -l json -d 'the same as --output-format json'
complete -c ptx-ls -n '_shtab_ptx_ls_using pressure' -s o -l output -xka "(__fish_complete_path (commandline -ct))" -d 'write to FILE instead of standard output'
complete -c ptx-ls -n '_shtab_ptx_ls_using pressure; and test $_shtab_ptx_ls_npos -ge 0' -ka "(__fish_complete_path (commandline -ct))" -d 'a file, a directory to search for *.ptx files (hidden directories are skipped), or `-` for standard input'
complete -c ptx-ls -n '_shtab_ptx_ls_using; and test $_shtab_ptx_ls_npos -eq 0' -a sync -d 'Print barriers and asynchronous operations, with the waits for them.'
complete -c ptx-ls -n '_shtab_ptx_ls_using sync' -s h -l help -d 'show this help message and exit'
complete -c ptx-ls -n '_shtab_ptx_ls_using sync' -l function -x -d 'show only functions whose name contains NAME'
complete -c ptx-ls -n '_shtab_ptx_ls_using sync' -l output-format -xka "text json svg" -d 'the format of the output; svg is a picture (default: text)'
complete -c ptx-ls -n '_shtab_ptx_ls_using sync' -l json -d 'the same as --output-format json'
complete -c ptx-ls -n '_shtab_ptx_ls_using sync' -s o -l output -xka "(__fish_complete_path (commandline -ct))" -d 'write to FILE instead of standard output'
complete -c ptx-ls -n '_shtab_ptx_ls_using sync; and test $_shtab_ptx_ls_npos -ge 0' -ka "(__fish_complete_path (commandline -ct))" -d 'a file, a directory to search for *.ptx files (hidden directories are skipped), or `-` for standard input'
complete -c ptx-ls -n '_shtab_ptx_ls_using; and test $_shtab_ptx_ls_npos -eq 0' -a cache -d 'Print where `lint` stores its results, or delete the results.'
complete -c ptx-ls -n '_shtab_ptx_ls_using cache' -s h -l help -d 'show this help message and exit'
complete -c ptx-ls -n '_shtab_ptx_ls_using cache' -l cache-dir -xka "(__fish_complete_directories)" -d 'the cache folder (default: PTX_LS_CACHE_DIR, or a folder in the user'"'"'s cache folder)'
complete -c ptx-ls -n '_shtab_ptx_ls_using cache; and test $_shtab_ptx_ls_npos -eq 0' -ka "path clean" -d 'path: print the cache folder; clean: delete the results in the cache folder'
complete -c ptx-ls -n '_shtab_ptx_ls_using; and test $_shtab_ptx_ls_npos -eq 0' -a diff -d 'Compare two files by meaning; ignore register names, comments and debug data.'
complete -c ptx-ls -n '_shtab_ptx_ls_using diff' -s h -l help -d 'show this help message and exit'
complete -c ptx-ls -n '_shtab_ptx_ls_using diff' -l output-format -xka "text json html" -d 'the format of the output; html shows the texts side by side (default: text)'
complete -c ptx-ls -n '_shtab_ptx_ls_using diff' -l json -d 'the same as --output-format json'
complete -c ptx-ls -n '_shtab_ptx_ls_using diff' -s o -l output -xka "(__fish_complete_path (commandline -ct))" -d 'write to FILE instead of standard output'
complete -c ptx-ls -n '_shtab_ptx_ls_using diff' -s U -l unified -x -d 'show N equal statements around each difference (default: 3)'
complete -c ptx-ls -n '_shtab_ptx_ls_using diff' -l summary -d 'list the functions that differ, but not their statements'
complete -c ptx-ls -n '_shtab_ptx_ls_using diff' -l function -x -d 'compare only functions whose name contains NAME'
complete -c ptx-ls -n '_shtab_ptx_ls_using diff' -l requirements -d 'also compare the lowest version and target that each file needs; takes longer'
complete -c ptx-ls -n '_shtab_ptx_ls_using diff' -l git -d 'accept the arguments that git passes to an external diff command'
complete -c ptx-ls -n '_shtab_ptx_ls_using diff' -l color -xka "auto always never" -d 'when to colour the output (default: auto, that is, on a terminal)'
complete -c ptx-ls -n '_shtab_ptx_ls_using diff' -s q -l quiet -d 'print nothing; the exit status says whether the files differ'
complete -c ptx-ls -n '_shtab_ptx_ls_using diff; and test $_shtab_ptx_ls_npos -ge 0' -ka "(__fish_complete_path (commandline -ct))" -d 'two files or directories; `-` is standard input'
complete -c ptx-ls -n '_shtab_ptx_ls_using; and test $_shtab_ptx_ls_npos -eq 0' -a normalize -d 'Print a canonical text of a file, for tools such as `git diff`.'
complete -c ptx-ls -n '_shtab_ptx_ls_using normalize' -s h -l help -d 'show this help message and exit'
complete -c ptx-ls -n '_shtab_ptx_ls_using normalize; and test $_shtab_ptx_ls_npos -ge 0' -ka "(__fish_complete_path (commandline -ct))" -d 'a file, or `-` for standard input'
complete -c ptx-ls -n '_shtab_ptx_ls_using; and test $_shtab_ptx_ls_npos -eq 0' -a serve -d 'Start the language server.'
complete -c ptx-ls -n '_shtab_ptx_ls_using serve' -s h -l help -d 'show this help message and exit'
complete -c ptx-ls -n '_shtab_ptx_ls_using serve' -l stdio -d 'use standard input and output (default)'
complete -c ptx-ls -n '_shtab_ptx_ls_using serve' -l tcp -x -d 'listen for any number of TCP clients; without HOST, on the loopback interface'
complete -c ptx-ls -n '_shtab_ptx_ls_using serve' -l ws -x -d 'listen for WebSocket clients; without HOST, on the loopback interface'
complete -c ptx-ls -n '_shtab_ptx_ls_using serve' -l allow-remote -d 'listen on an address that other machines can reach; clients there must send the token'
complete -c ptx-ls -n '_shtab_ptx_ls_using serve' -l token-file -xka "(__fish_complete_path (commandline -ct))" -d 'use the first line of FILE as the token that clients must send'
complete -c ptx-ls -n '_shtab_ptx_ls_using serve' -l allow-origin -x -d 'let web pages of this origin connect, such as https://example.com; may be repeated'
complete -c ptx-ls -n '_shtab_ptx_ls_using serve' -l folder -xka "(__fish_complete_directories)" -d 'let clients read only files below DIR (default: the current directory); may be repeated'
complete -c ptx-ls -n '_shtab_ptx_ls_using; and test $_shtab_ptx_ls_npos -eq 0' -a mcp -d 'Start the MCP (Model Context Protocol) server, for agents.'
complete -c ptx-ls -n '_shtab_ptx_ls_using mcp' -s h -l help -d 'show this help message and exit'
complete -c ptx-ls -n '_shtab_ptx_ls_using mcp' -l folder -xka "(__fish_complete_directories)" -d 'tools may read .ptx files below this folder; may be repeated (default: the current directory)'
complete -c ptx-ls -n '_shtab_ptx_ls_using; and test $_shtab_ptx_ls_npos -eq 0' -a completions -d 'Print a script that completes options and values in bash, fish or zsh.'
complete -c ptx-ls -n '_shtab_ptx_ls_using completions' -s h -l help -d 'show this help message and exit'
complete -c ptx-ls -n '_shtab_ptx_ls_using completions; and test $_shtab_ptx_ls_npos -eq 0' -ka "bash fish zsh" -d 'bash, fish or zsh'
