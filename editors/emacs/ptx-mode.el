;;; ptx-mode.el --- Major mode for NVIDIA PTX -*- lexical-binding: t; -*-

;; Author: The ptx-ls developers
;; Version: 0.1.0
;; Keywords: languages
;; Package-Requires: ((emacs "27.1"))
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Colours, indentation, comments and imenu for PTX, the assembly language of
;; NVIDIA GPUs.  Eglot and lsp-mode know how to start the language server
;; ptx-ls.  To start it for every PTX file:
;;
;;     (add-hook 'ptx-mode-hook #'eglot-ensure)  ; or #'lsp

;;; Code:

(defgroup ptx nil
  "Assembly language of NVIDIA GPUs."
  :group 'languages)

(defcustom ptx-indent-offset 4
  "Columns per level of indentation."
  :type 'integer
  :safe #'integerp)

(defcustom ptx-server-command '("ptx-ls" "serve")
  "Program and arguments that start the language server."
  :type '(repeat string))

;; Words, written by ./dev docs
(defconst ptx-opcodes
  '("abs" "activemask" "add" "addc" "alloca" "and" "applypriority" "atom" "bar"
    "barrier" "bfe" "bfi" "bfind" "bmsk" "bra" "brev" "brkpt" "brx" "call"
    "clmad" "clusterlaunchcontrol" "clz" "cnot" "copysign" "cos" "cp"
    "createpolicy" "cvt" "cvta" "discard" "div" "dp2a" "dp4a" "elect" "ex2"
    "exit" "fabric" "fence" "fma" "fns" "getctarank" "griddepcontrol"
    "isspacep" "istypep" "ld" "ldmatrix" "ldu" "lg2" "lop3" "mad" "mad24"
    "madc" "mapa" "match" "max" "mbarrier" "membar" "min" "mma" "mov"
    "movmatrix" "mul" "mul24" "multimem" "nanosleep" "neg" "not" "or" "pmevent"
    "popc" "prefetch" "prefetchu" "prmt" "rcp" "red" "redux" "rem" "ret"
    "rsqrt" "sad" "selp" "set" "setmaxnreg" "setp" "shf" "shfl" "shl" "shr"
    "sin" "slct" "spcompress" "spdecompress" "sqrt" "st" "stackrestore"
    "stacksave" "stmatrix" "sub" "subc" "suld" "suq" "sured" "sust" "szext"
    "tanh" "tcgen05" "tensormap" "testp" "tex" "tld4" "trap" "txq" "vabsdiff"
    "vabsdiff2" "vabsdiff4" "vadd" "vadd2" "vadd4" "vavrg2" "vavrg4" "vmad"
    "vmax" "vmax2" "vmax4" "vmin" "vmin2" "vmin4" "vote" "vset" "vset2" "vset4"
    "vshl" "vshr" "vsub" "vsub2" "vsub4" "wgmma" "wmma" "xor")
  "Words of PTX: opcodes.")

(defconst ptx-directives
  '("abi_preserve" "abi_preserve_control" "address_size" "alias" "align"
    "attribute" "blocksareclusters" "branchtargets" "callprototype"
    "calltargets" "common" "const" "entry" "explicitcluster" "extern" "file"
    "func" "global" "hidden" "language" "loc" "loc_intermediate" "local"
    "local_maxnreg" "managed" "maxclusterrank" "maxnctapersm" "maxnreg"
    "maxntid" "minnctapersm" "minperctamemory" "noreturn"
    "nv_intermediate_source_section" "param" "pragma" "ptr" "reg"
    "reqnctapercluster" "reqntid" "section" "shared" "sreg" "surf" "target"
    "tex" "unified" "version" "visible" "weak")
  "Words of PTX: directives.")

(defconst ptx-types
  '("b1" "b128" "b16" "b2" "b32" "b4" "b64" "b8" "bf16" "bf16x2" "e2m1"
    "e2m1p4x4" "e2m1x2" "e2m1x4" "e2m3" "e2m3x2" "e2m3x4" "e3m2" "e3m2x2"
    "e3m2x4" "e4m3" "e4m3x2" "e4m3x4" "e5m2" "e5m2x2" "e5m2x4" "f16" "f16x2"
    "f32" "f32x2" "f64" "pred" "s16" "s16x2" "s2" "s2f6x2" "s32" "s4" "s64"
    "s8" "s8x4" "samplerref" "surfref" "texref" "tf32" "u16" "u16x2" "u2" "u32"
    "u4" "u64" "u8" "u8x4" "ue4m3" "ue5m3" "ue5m3x2" "ue8m0" "ue8m0x2"
    "ue8m0x4")
  "Words of PTX: types.")

(defconst ptx-spaces
  '("const" "global" "local" "param" "param::entry" "param::func" "reg"
    "shared" "shared::cluster" "shared::cta" "sreg" "tex")
  "Words of PTX: spaces.")

(defconst ptx-registers
  '("%aggr_smem_size" "%clock" "%clock64" "%clock_hi" "%cluster_ctaid"
    "%cluster_ctarank" "%cluster_nctaid" "%cluster_nctarank" "%clusterid"
    "%ctaid" "%current_graph_exec" "%dynamic_smem_size" "%envreg0" "%envreg1"
    "%envreg10" "%envreg11" "%envreg12" "%envreg13" "%envreg14" "%envreg15"
    "%envreg16" "%envreg17" "%envreg18" "%envreg19" "%envreg2" "%envreg20"
    "%envreg21" "%envreg22" "%envreg23" "%envreg24" "%envreg25" "%envreg26"
    "%envreg27" "%envreg28" "%envreg29" "%envreg3" "%envreg30" "%envreg31"
    "%envreg4" "%envreg5" "%envreg6" "%envreg7" "%envreg8" "%envreg9"
    "%globaltimer" "%globaltimer_hi" "%globaltimer_lo" "%gridid"
    "%is_explicit_cluster" "%laneid" "%lanemask_eq" "%lanemask_ge"
    "%lanemask_gt" "%lanemask_le" "%lanemask_lt" "%locality_domain_id"
    "%locality_domain_supplemental_sm" "%nclusterid" "%nctaid" "%nsmid" "%ntid"
    "%nwarpid" "%perctamemoryoffset" "%perctamemorysize" "%pm0" "%pm0_64"
    "%pm1" "%pm1_64" "%pm2" "%pm2_64" "%pm3" "%pm3_64" "%pm4" "%pm4_64" "%pm5"
    "%pm5_64" "%pm6" "%pm6_64" "%pm7" "%pm7_64" "%reserved_smem_offset_0"
    "%reserved_smem_offset_1" "%reserved_smem_offset_begin"
    "%reserved_smem_offset_cap" "%reserved_smem_offset_end" "%smid" "%tid"
    "%total_smem_size" "%warpid")
  "Words of PTX: registers.")

(defconst ptx-predefined
  '("WARP_SZ" "generic" "mask")
  "Words of PTX: predefined.")

(defconst ptx-targets
  '("debug" "map_f64_to_f32" "sm_10" "sm_100" "sm_100a" "sm_100f" "sm_101"
    "sm_101a" "sm_101f" "sm_103" "sm_103a" "sm_103f" "sm_107" "sm_107a"
    "sm_107f" "sm_11" "sm_110" "sm_110a" "sm_110f" "sm_12" "sm_120" "sm_120a"
    "sm_120f" "sm_121" "sm_121a" "sm_121f" "sm_13" "sm_20" "sm_21" "sm_30"
    "sm_32" "sm_35" "sm_37" "sm_50" "sm_52" "sm_53" "sm_60" "sm_61" "sm_62"
    "sm_70" "sm_72" "sm_75" "sm_80" "sm_82" "sm_86" "sm_87" "sm_88" "sm_89"
    "sm_90" "sm_90a" "texmode_independent" "texmode_unified")
  "Words of PTX: targets.")

;; End of the words

(defconst ptx--name "[[:alpha:]_$%][[:alnum:]_$]*"
  "Regexp of a name.")

(defconst ptx--label (concat "^[ \t]*\\(" ptx--name "\\)[ \t]*:\\(?:[^:]\\|$\\)")
  "Regexp of the beginning of a line with a label.")

(defun ptx--head (directive)
  "Regexp of the head of a function, up to its name, in group 1.
DIRECTIVE is a regexp of the directive that begins it."
  (concat directive "\\_>[ \t\n]*\\(?:([^)]*)[ \t\n]*\\)?\\(" ptx--name "\\)"))

(defconst ptx-font-lock-keywords
  `((,(concat "\\." (regexp-opt ptx-types t) "\\_>") 0 font-lock-type-face)
    (,ptx--label 1 font-lock-constant-face)
    ;; An opcode with its modifiers.
    (,(concat "\\(?:^\\|[;:{}]\\|@!?" ptx--name "[ \t]\\)[ \t]*"
              (regexp-opt ptx-opcodes t) "\\_>\\(\\(?:\\.[[:alnum:]_:]+\\)*\\)")
     (1 font-lock-keyword-face)
     (2 font-lock-builtin-face keep))
    (,(ptx--head "\\.\\(?:entry\\|func\\)") 1 font-lock-function-name-face)
    (,(concat "\\." (regexp-opt ptx-directives t) "\\_>") 0 font-lock-preprocessor-face)
    (,(concat "\\." (regexp-opt ptx-spaces t) "\\_>") 0 font-lock-preprocessor-face)
    (,(concat "\\_<" (regexp-opt ptx-registers t) "\\_>") 0 font-lock-constant-face)
    (,(concat "\\_<" (regexp-opt ptx-predefined t) "\\_>") 0 font-lock-constant-face)
    (,(concat "\\_<" (regexp-opt ptx-targets t) "\\_>") 0 font-lock-constant-face)
    ("%[[:alnum:]_$]+" 0 font-lock-variable-name-face))
  "Expressions that `ptx-mode' highlights.")

(defvar ptx-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?\\ "." table)
    (dolist (character '(?_ ?$ ?%))
      (modify-syntax-entry character "_" table))
    (dolist (character '(?. ?@ ?: ?| ?! ?< ?> ?= ?+ ?- ?& ?'))
      (modify-syntax-entry character "." table))
    table)
  "Syntax of `ptx-mode'.")

(defun ptx--depth ()
  "The level of indentation that the current line should have."
  (save-excursion
    (beginning-of-line)
    (let ((depth (car (syntax-ppss))))
      (skip-chars-forward " \t")
      (cond ((looking-at "[])}]+")
             (max 0 (- depth (- (match-end 0) (match-beginning 0)))))
            ((and (> depth 0)
                  (save-excursion (beginning-of-line) (looking-at ptx--label)))
             (1- depth))
            (t depth)))))

(defun ptx-indent-line ()
  "Indent the current line by the brackets around it."
  (interactive)
  (unless (nth 8 (save-excursion (syntax-ppss (line-beginning-position))))
    (let ((place (- (point-max) (point))))
      (indent-line-to (* ptx-indent-offset (ptx--depth)))
      (when (> (- (point-max) place) (point))
        (goto-char (- (point-max) place))))))

(defun ptx-beginning-of-function (&optional count)
  "Go to the head of the function around point, COUNT times."
  (re-search-backward "^[ \t]*\\(?:\\.\\(?:visible\\|weak\\|extern\\)[ \t]+\\)?\\.\\(?:entry\\|func\\)\\_>"
                      nil t (or count 1)))

(defun ptx-end-of-function ()
  "Go from the head of a function to the end of its body."
  (when (re-search-forward "[{;]" nil t)
    (while (and (nth 4 (syntax-ppss)) (re-search-forward "[{;]" nil t)))
    (when (eq (char-before) ?{)
      (backward-char)
      (forward-sexp))))

(defvar ptx-imenu-expression
  `(("Kernels" ,(ptx--head "\\.entry") 1)
    ("Functions" ,(ptx--head "\\.func") 1)
    ("Labels" ,ptx--label 1))
  "Entries of imenu if no language server lists them.")

;;;###autoload
(define-derived-mode ptx-mode prog-mode "PTX"
  "Major mode for PTX, the assembly language of NVIDIA GPUs."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local comment-start-skip "\\(?://+\\|/\\*+\\)[ \t]*")
  (setq-local font-lock-defaults '(ptx-font-lock-keywords))
  (setq-local font-lock-multiline t)
  (setq-local indent-line-function #'ptx-indent-line)
  (setq-local indent-tabs-mode nil)
  (setq-local electric-indent-chars (append '(?{ ?} ?\) ?:) electric-indent-chars))
  (setq-local beginning-of-defun-function #'ptx-beginning-of-function)
  (setq-local end-of-defun-function #'ptx-end-of-function)
  (setq-local imenu-generic-expression ptx-imenu-expression))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.ptx\\'" . ptx-mode))

(defvar ptx--missing nil
  "The program that the last warning named.")

(defun ptx--server-command (&rest _)
  "Return the command of the server; warn if the program is missing."
  (let ((program (car ptx-server-command)))
    (unless (or (executable-find program t) (equal program ptx--missing))
      (setq ptx--missing program)
      (display-warning
       'ptx
       (format-message
        (concat "`%s' was not found: run `pipx install .' in the checkout of ptx-ls,\n"
                "or set `ptx-server-command' to its path; then open the file again.")
        program)
       :error)))
  ptx-server-command)

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs (cons 'ptx-mode #'ptx--server-command)))

(defvar lsp-language-id-configuration)
(declare-function lsp-register-client "ext:lsp-mode" (client))
(declare-function lsp-stdio-connection "ext:lsp-mode" (command &optional test))
(declare-function lsp-activate-on "ext:lsp-mode" (&rest languages))
(declare-function make-lsp-client "ext:lsp-mode" (&rest arguments))
(with-eval-after-load 'lsp-mode
  (add-to-list 'lsp-language-id-configuration '(ptx-mode . "ptx"))
  (lsp-register-client
   (make-lsp-client
    :new-connection (lsp-stdio-connection #'ptx--server-command)
    :activation-fn (lsp-activate-on "ptx")
    :server-id 'ptx-ls)))

(provide 'ptx-mode)
;;; ptx-mode.el ends here
