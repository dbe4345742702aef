" Colours PTX.
if exists('b:current_syntax')
  finish
endif
let s:kept = &cpoptions
set cpoptions&vim

syntax case match
" `:` is a part of words such as `.shared::cta`.
syntax iskeyword @,48-57,_,$,%,:

syntax match ptxRegister '%[[:alnum:]_$]\+'
syntax match ptxLabel '^\s*\zs[[:alpha:]_$%][[:alnum:]_$]*\ze\s*:\(:\)\@!'
syntax match ptxNumber '\<\d\+U\=\>'
syntax match ptxNumber '\<0[xX]\x\+U\=\>'
syntax match ptxNumber '\<0[bB][01]\+U\=\>'
syntax match ptxFloat '\<\d\+\.\d*\([eE][-+]\=\d\+\)\='
syntax match ptxFloat '\<0[fF]\x\{8}\>'
syntax match ptxFloat '\<0[dD]\x\{16}\>'
syntax region ptxString start='"' end='"' oneline
syntax match ptxGuard '@!\=\s*%\=[[:alnum:]_$]\+'
" A directive, or a type or state space after it.
syntax match ptxDotted '\.[[:alpha:]_][[:alnum:]_:]*' contains=ptxDirective,ptxType,ptxSpace
syntax match ptxFunction '\(\.\(entry\|func\)\s*\(([^)]*)\s*\)\=\)\@<=[[:alpha:]_$][[:alnum:]_$]*'
" The modifiers of an opcode.
syntax match ptxSuffix contained '\(\.[[:alnum:]_:]\+\)\+' contains=ptxType,ptxSpace,ptxModifier
syntax match ptxModifier contained '\<m\d\+n\d\+\(k\d\+\)\=\>'
" Words, written by ./dev docs
syntax keyword ptxOpcode nextgroup=ptxSuffix abs activemask add addc alloca and applypriority atom
syntax keyword ptxOpcode nextgroup=ptxSuffix bar barrier bfe bfi bfind bmsk bra brev brkpt brx call
syntax keyword ptxOpcode nextgroup=ptxSuffix clmad clusterlaunchcontrol clz cnot copysign cos cp
syntax keyword ptxOpcode nextgroup=ptxSuffix createpolicy cvt cvta discard div dp2a dp4a elect ex2
syntax keyword ptxOpcode nextgroup=ptxSuffix exit fabric fence fma fns getctarank griddepcontrol
syntax keyword ptxOpcode nextgroup=ptxSuffix isspacep istypep ld ldmatrix ldu lg2 lop3 mad mad24
syntax keyword ptxOpcode nextgroup=ptxSuffix madc mapa match max mbarrier membar min mma mov
syntax keyword ptxOpcode nextgroup=ptxSuffix movmatrix mul mul24 multimem nanosleep neg not or
syntax keyword ptxOpcode nextgroup=ptxSuffix pmevent popc prefetch prefetchu prmt rcp red redux rem
syntax keyword ptxOpcode nextgroup=ptxSuffix ret rsqrt sad selp set setmaxnreg setp shf shfl shl
syntax keyword ptxOpcode nextgroup=ptxSuffix shr sin slct spcompress spdecompress sqrt st
syntax keyword ptxOpcode nextgroup=ptxSuffix stackrestore stacksave stmatrix sub subc suld suq
syntax keyword ptxOpcode nextgroup=ptxSuffix sured sust szext tanh tcgen05 tensormap testp tex tld4
syntax keyword ptxOpcode nextgroup=ptxSuffix trap txq vabsdiff vabsdiff2 vabsdiff4 vadd vadd2 vadd4
syntax keyword ptxOpcode nextgroup=ptxSuffix vavrg2 vavrg4 vmad vmax vmax2 vmax4 vmin vmin2 vmin4
syntax keyword ptxOpcode nextgroup=ptxSuffix vote vset vset2 vset4 vshl vshr vsub vsub2 vsub4 wgmma
syntax keyword ptxOpcode nextgroup=ptxSuffix wmma xor
syntax keyword ptxDirective contained abi_preserve abi_preserve_control address_size alias align
syntax keyword ptxDirective contained attribute blocksareclusters branchtargets callprototype
syntax keyword ptxDirective contained calltargets common const entry explicitcluster extern file
syntax keyword ptxDirective contained func global hidden language loc loc_intermediate local
syntax keyword ptxDirective contained local_maxnreg managed maxclusterrank maxnctapersm maxnreg
syntax keyword ptxDirective contained maxntid minnctapersm minperctamemory noreturn
syntax keyword ptxDirective contained nv_intermediate_source_section param pragma ptr reg
syntax keyword ptxDirective contained reqnctapercluster reqntid section shared sreg surf target tex
syntax keyword ptxDirective contained unified version visible weak
syntax keyword ptxType contained b1 b128 b16 b2 b32 b4 b64 b8 bf16 bf16x2 e2m1 e2m1p4x4 e2m1x2
syntax keyword ptxType contained e2m1x4 e2m3 e2m3x2 e2m3x4 e3m2 e3m2x2 e3m2x4 e4m3 e4m3x2 e4m3x4
syntax keyword ptxType contained e5m2 e5m2x2 e5m2x4 f16 f16x2 f32 f32x2 f64 pred s16 s16x2 s2
syntax keyword ptxType contained s2f6x2 s32 s4 s64 s8 s8x4 samplerref surfref texref tf32 u16 u16x2
syntax keyword ptxType contained u2 u32 u4 u64 u8 u8x4 ue4m3 ue5m3 ue5m3x2 ue8m0 ue8m0x2 ue8m0x4
syntax keyword ptxSpace contained const global local param param::entry param::func reg shared
syntax keyword ptxSpace contained shared::cluster shared::cta sreg tex
syntax keyword ptxModifier contained 128x128b 128x256b 16x128b 16x256b 16x32bx2 16x64b 1d 2d 2dms
syntax keyword ptxModifier contained 32x128b 32x32b 3d 4d 4x256b 5d 64x128b L1 L1::32B
syntax keyword ptxModifier contained L1::evict_first L1::evict_last L1::evict_normal
syntax keyword ptxModifier contained L1::evict_unchanged L1::no_allocate L2 L2::128B L2::256B
syntax keyword ptxModifier contained L2::64B L2::cache_hint L2::evict_first L2::evict_last
syntax keyword ptxModifier contained L2::evict_normal L2::evict_unchanged NaN a a1d a2d a2dms abs
syntax keyword ptxModifier contained acc::f16 acc::f32 acq_rel acquire acube add addr_mode_0
syntax keyword ptxModifier contained addr_mode_1 addr_mode_2 alias aligned all alloc and any approx
syntax keyword ptxModifier contained array_size arrive arrive_drop ashift async async::generic b
syntax keyword ptxModifier contained b1024 b4e b4x16_p64 b6x16_p32 b8x16 ballot base bfly block16
syntax keyword ptxModifier contained block32 block_scale box_dim bulk bulk_group c ca cas cc cg
syntax keyword ptxModifier contained channel_data_type channel_order check_layout clamp cluster col
syntax keyword ptxModifier contained collector::a::discard collector::a::fill collector::a::lastuse
syntax keyword ptxModifier contained collector::a::use collector::b0::discard collector::b0::fill
syntax keyword ptxModifier contained collector::b0::lastuse collector::b0::use
syntax keyword ptxModifier contained collector::b1::discard collector::b1::fill
syntax keyword ptxModifier contained collector::b1::lastuse collector::b1::use
syntax keyword ptxModifier contained collector::b2::discard collector::b2::fill
syntax keyword ptxModifier contained collector::b2::lastuse collector::b2::use
syntax keyword ptxModifier contained collector::b3::discard collector::b3::fill
syntax keyword ptxModifier contained collector::b3::lastuse collector::b3::use
syntax keyword ptxModifier contained collector::b::discard collector::b::fill collector::b::lastuse
syntax keyword ptxModifier contained collector::b::use commit commit_group complete_tx
syntax keyword ptxModifier contained counted::bytes cp cp_fenceproxy cp_mask cs cta cta_group::1
syntax keyword ptxModifier contained cta_group::2 cube cv cvt d dealloc dec decompress::lut::b
syntax keyword ptxModifier contained depth down ecl ecr element_stride elemtype eq equ exch
syntax keyword ptxModifier contained exclusive expect_tx f4e fabric fabric::fabric fabric::generic
syntax keyword ptxModifier contained fence fence::after_thread_sync fence::before_thread_sync
syntax keyword ptxModifier contained fill_mode filter_mode finite force_unnormalized_coords
syntax keyword ptxModifier contained fractional ftz full g ge generic::fabric get_first_ctaid
syntax keyword ptxModifier contained get_first_ctaid::x get_first_ctaid::y get_first_ctaid::z geu
syntax keyword ptxModifier contained gl global_address global_dim global_stride gpu grad gt gtu
syntax keyword ptxModifier contained height hi hs idx ignore_oob im2col im2col::w im2col::w::128
syntax keyword ptxModifier contained im2col_no_offs im2col_no_offs::w inc infinite init
syntax keyword ptxModifier contained interleave_layout inval is_canceled kind::f16 kind::f8f6f4
syntax keyword ptxModifier contained kind::i8 kind::mxf4 kind::mxf4nvf4 kind::mxf8f6f4 kind::tf32
syntax keyword ptxModifier contained kind::ti16 l launch_dependents layout::v0 layout::v1 ld
syntax keyword ptxModifier contained ld_reduce le leu level lo load ls lt ltu lu mask max mbarrier
syntax keyword ptxModifier contained mbarrier::arrive::one mbarrier::complete_tx::16B
syntax keyword ptxModifier contained mbarrier::complete_tx::bytes mbarrier::report::disabled
syntax keyword ptxModifier contained mbarrier::report::fabric
syntax keyword ptxModifier contained mbarrier::report::validity::per_16bytes::8
syntax keyword ptxModifier contained mbarrier::report::validity::per_16bytes::80
syntax keyword ptxModifier contained mbarrier::report::validity::per_16bytes::8000
syntax keyword ptxModifier contained mbarrier::report::validity::per_16bytes::80000000
syntax keyword ptxModifier contained mbarrier::report::validity::per_element::ff mbarrier_init
syntax keyword ptxModifier contained memory_layout min mma mma_async mmio multicast::cluster
syntax keyword ptxModifier contained multicast::cluster::16b multicast::cluster::32b
syntax keyword ptxModifier contained multicast::cluster::all multimem nan nc ne neu noComplete
syntax keyword ptxModifier contained noftz noinc normal normalized_coords notanumber num
syntax keyword ptxModifier contained num_mipmap_levels num_samples number oob op_restrict::fetching
syntax keyword ptxModifier contained or override::global_address override::global_dim
syntax keyword ptxModifier contained override::global_dim_stride p pack pack::16b parity
syntax keyword ptxModifier contained pending_count phase_type::conditional phase_type::primary po
syntax keyword ptxModifier contained popc prefetch proxy proxy::readonly pzo query_cancel r range
syntax keyword ptxModifier contained rank rc16 rc8 read red reduce relaxed release
syntax keyword ptxModifier contained relinquish_alloc_permit relu replace rm rmi rn rna rni row rp
syntax keyword ptxModifier contained rpi rs rz rzi sat satfinite sc scale_vec::1X scale_vec::2X
syntax keyword ptxModifier contained scale_vec::4X scaled::n1::ue8m0 scaled::n2::ue8m0 shift
syntax keyword ptxModifier contained shiftamt shr15 shr7 sp sp::1:16 sp::1:2 sp::1:4 sp::1:8
syntax keyword ptxModifier contained sp::2:16 sp::2:4 sp::2:8 sp::4:16 sp::4:8 sp::ordered_metadata
syntax keyword ptxModifier contained spcompress st store submit subnormal swizzle_atomicity
syntax keyword ptxModifier contained swizzle_mode sync sync_restrict::read sync_restrict::reads
syntax keyword ptxModifier contained sync_restrict::shared::cluster
syntax keyword ptxModifier contained sync_restrict::shared::cluster::read
syntax keyword ptxModifier contained sync_restrict::shared::cta sync_restrict::shared::read::mma::a
syntax keyword ptxModifier contained sys tensor tensormap tensormap::generic test_wait tile
syntax keyword ptxModifier contained tile::gather4 tile::scatter4 to trans trap try_atom try_cancel
syntax keyword ptxModifier contained try_get try_pullred try_put try_red try_wait uni unpack::16b
syntax keyword ptxModifier contained up v2 v4 v8 valid_addr volatile wait wait::ld wait::st
syntax keyword ptxModifier contained wait_all wait_group warp warpx2::01_23 warpx2::02_13 warpx4 wb
syntax keyword ptxModifier contained weak wide width wrap ws wt x1 x128 x16 x2 x32 x4 x64 x8 xor
syntax keyword ptxModifier contained xorsign zero
syntax keyword ptxSpecialRegister %aggr_smem_size %clock %clock64 %clock_hi %cluster_ctaid
syntax keyword ptxSpecialRegister %cluster_ctarank %cluster_nctaid %cluster_nctarank %clusterid
syntax keyword ptxSpecialRegister %ctaid %current_graph_exec %dynamic_smem_size %envreg0 %envreg1
syntax keyword ptxSpecialRegister %envreg10 %envreg11 %envreg12 %envreg13 %envreg14 %envreg15
syntax keyword ptxSpecialRegister %envreg16 %envreg17 %envreg18 %envreg19 %envreg2 %envreg20
syntax keyword ptxSpecialRegister %envreg21 %envreg22 %envreg23 %envreg24 %envreg25 %envreg26
syntax keyword ptxSpecialRegister %envreg27 %envreg28 %envreg29 %envreg3 %envreg30 %envreg31
syntax keyword ptxSpecialRegister %envreg4 %envreg5 %envreg6 %envreg7 %envreg8 %envreg9
syntax keyword ptxSpecialRegister %globaltimer %globaltimer_hi %globaltimer_lo %gridid
syntax keyword ptxSpecialRegister %is_explicit_cluster %laneid %lanemask_eq %lanemask_ge
syntax keyword ptxSpecialRegister %lanemask_gt %lanemask_le %lanemask_lt %locality_domain_id
syntax keyword ptxSpecialRegister %locality_domain_supplemental_sm %nclusterid %nctaid %nsmid %ntid
syntax keyword ptxSpecialRegister %nwarpid %perctamemoryoffset %perctamemorysize %pm0 %pm0_64 %pm1
syntax keyword ptxSpecialRegister %pm1_64 %pm2 %pm2_64 %pm3 %pm3_64 %pm4 %pm4_64 %pm5 %pm5_64 %pm6
syntax keyword ptxSpecialRegister %pm6_64 %pm7 %pm7_64 %reserved_smem_offset_0
syntax keyword ptxSpecialRegister %reserved_smem_offset_1 %reserved_smem_offset_begin
syntax keyword ptxSpecialRegister %reserved_smem_offset_cap %reserved_smem_offset_end %smid %tid
syntax keyword ptxSpecialRegister %total_smem_size %warpid
syntax keyword ptxPredefined WARP_SZ generic mask
syntax keyword ptxTarget debug map_f64_to_f32 sm_10 sm_100 sm_100a sm_100f sm_101 sm_101a sm_101f
syntax keyword ptxTarget sm_103 sm_103a sm_103f sm_107 sm_107a sm_107f sm_11 sm_110 sm_110a sm_110f
syntax keyword ptxTarget sm_12 sm_120 sm_120a sm_120f sm_121 sm_121a sm_121f sm_13 sm_20 sm_21
syntax keyword ptxTarget sm_30 sm_32 sm_35 sm_37 sm_50 sm_52 sm_53 sm_60 sm_61 sm_62 sm_70 sm_72
syntax keyword ptxTarget sm_75 sm_80 sm_82 sm_86 sm_87 sm_88 sm_89 sm_90 sm_90a texmode_independent
syntax keyword ptxTarget texmode_unified
" End of the words

syntax keyword ptxTodo contained TODO FIXME XXX NOTE
syntax match ptxComment '//.*$' contains=ptxTodo,@Spell
syntax region ptxComment start='/\*' end='\*/' contains=ptxTodo,@Spell
syntax match ptxPreprocessed '^\s*#.*$'
syntax region ptxBody start='{' end='}' transparent fold
syntax sync minlines=200

highlight default link ptxOpcode Statement
highlight default link ptxModifier Special
highlight default link ptxDirective PreProc
highlight default link ptxType Type
highlight default link ptxSpace StorageClass
highlight default link ptxSpecialRegister Constant
highlight default link ptxPredefined Constant
highlight default link ptxTarget Constant
highlight default link ptxRegister Identifier
highlight default link ptxGuard Conditional
highlight default link ptxLabel Label
highlight default link ptxFunction Function
highlight default link ptxNumber Number
highlight default link ptxFloat Float
highlight default link ptxString String
highlight default link ptxComment Comment
highlight default link ptxTodo Todo
highlight default link ptxPreprocessed PreProc

let b:current_syntax = 'ptx'
let &cpoptions = s:kept
unlet s:kept
