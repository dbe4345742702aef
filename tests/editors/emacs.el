;;; emacs.el --- Uses Emacs as a user does, and writes what it shows -*- lexical-binding: t; -*-
;; emacs --batch -l ~/.emacs.d/init.el -l emacs.el; facts go to PTX_FACTS.

(require 'cl-lib)
(require 'flymake)
(require 'json)
(require 'xref)

(setq backup-inhibited t
      create-lockfiles nil
      xref-prompt-for-identifier nil
      eglot-confirm-server-initiated-edits nil
      eglot-sync-connect 30
      lsp-auto-guess-root t
      lsp-diagnostics-provider :flymake
      lsp-enable-suggest-server-download nil
      lsp-headerline-breadcrumb-enable nil
      lsp-modeline-diagnostics-enable nil
      lsp-modeline-code-actions-enable nil
      lsp-idle-delay 0.05
      lsp-semantic-tokens-enable t)

(defconst facts-file (getenv "PTX_FACTS"))
(defconst is-eglot (memq 'eglot-ensure (bound-and-true-p ptx-mode-hook)))

(defun note (step value)
  "Write that STEP showed VALUE."
  (let ((coding-system-for-write 'utf-8))
    (write-region (concat (json-encode `((step . ,step) (value . ,value))) "\n")
                  nil facts-file t 'silent)))

(defun await (what test)
  "Wait for WHAT, until TEST returns something, and return that."
  (let ((end (+ (float-time) 30)) found)
    (while (and (not (setq found (funcall test))) (< (float-time) end))
      (accept-process-output nil 0.03))
    (or found (error "Waited for %s" what))))

(defun go-to (text)
  "Go to the first place of TEXT."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun replace-line (text line)
  "Make LINE of the line with the first place of TEXT."
  (go-to text)
  (delete-region (line-beginning-position) (line-end-position))
  (insert line))

(defun send-changes ()
  "Do what Emacs does when it is idle, which it never is in a batch."
  (if is-eglot (eglot--signal-textDocument/didChange) (lsp--flush-delayed-changes)))

(defun diagnostics ()
  "The line, covered text and message of each diagnostic."
  (mapcar (lambda (it)
            (vector (line-number-at-pos (flymake-diagnostic-beg it))
                    (buffer-substring-no-properties (flymake-diagnostic-beg it)
                                                    (flymake-diagnostic-end it))
                    ;; Eglot puts the server and the rule in front.
                    (replace-regexp-in-string "\\`[^:`]*\\]: " "" (flymake-diagnostic-text it))))
          (flymake-diagnostics)))

(defun await-diagnostics (count)
  "Wait for COUNT diagnostics, and return them."
  (send-changes)
  (await (format "%d diagnostics" count)
         (lambda ()
           (flymake-start)
           ;; Those of a longer text than there is now are old ones.
           (let ((found (ignore-errors (diagnostics)))) (and (= (length found) count) found)))))

(defun hover ()
  "What is shown of the thing at point."
  (if is-eglot
      (let (shown)
        (await "hover"
               (lambda ()
                 (run-hook-with-args 'eldoc-documentation-functions
                                     (lambda (text &rest _) (setq shown (or shown text))))
                 (accept-process-output nil 0.2)
                 shown))
        (substring-no-properties shown))
    (lsp-describe-thing-at-point)
    (with-current-buffer "*lsp-help*" (buffer-substring-no-properties (point-min) (point-max)))))

(defun completions ()
  "What may be completed at point."
  (cl-some (lambda (function)
             (let ((found (and (functionp function) (funcall function))))
               (and found
                    (mapcar #'substring-no-properties
                            (all-completions
                             (buffer-substring-no-properties (nth 0 found) (nth 1 found))
                             (nth 2 found) (plist-get (nthcdr 3 found) :predicate))))))
           completion-at-point-functions))

(find-file (getenv "PTX_FILE"))
(run-hooks 'post-command-hook)
(await "attach" (lambda () (if is-eglot
                               (eglot-managed-p)
                             (and (bound-and-true-p lsp-mode) (lsp-workspaces)
                                  (eq 'initialized (lsp--workspace-status (car (lsp-workspaces))))))))
(note "mode" (symbol-name major-mode))
(flymake-mode 1)
(note "diagnostics" (vconcat (await-diagnostics 1)))

(unless is-eglot  ; Eglot 1.9 has no semantic tokens
  (lsp--semantic-tokens-request nil t)
  (go-to "%tid")
  (note "token" (await "semantic tokens"
                       (lambda ()
                         (font-lock-flush)
                         (font-lock-ensure)
                         (let ((face (get-text-property (point) 'face)))
                           (seq-find (lambda (it) (string-prefix-p "lsp-face-semhl" (symbol-name it)))
                                     (ensure-list face)))))))

(go-to "%tid")
(forward-char 2)
(note "hover" (hover))

(go-to "$done")
(call-interactively #'xref-find-definitions)
(note "definition" (vector (line-number-at-pos) (current-column)))

(let ((backend (xref-find-backend)))
  (note "references"
        (vconcat (sort (mapcar (lambda (it) (xref-location-line (xref-item-location it)))
                               (xref-backend-references
                                backend (xref-backend-identifier-at-point backend)))
                       #'<))))

(let ((text (buffer-string)))
  (if is-eglot (eglot-rename "$finish") (lsp-rename "$finish"))
  (note "rename" (vconcat (seq-filter (lambda (line) (string-match-p "finish" line))
                                      (split-string (buffer-string) "\n"))))
  (erase-buffer)
  (insert text))

(go-to "add.u64")
(end-of-line)
(insert "\n\tadd.u64 %rd1, %rd1, %rd8;")
(note "broken" (length (await-diagnostics 2)))
;; A change elsewhere: to delete what is underlined would be enough for Emacs to forget it.
(replace-line "%rd<4>" "\t.reg .b64 %rd<9>;")
(note "mended" (length (await-diagnostics 1)))
(replace-line "%rd<9>" "\t.reg .b64 %rd<4>;")
(go-to "%rd8")
(delete-region (line-beginning-position) (1+ (line-end-position)))
(await-diagnostics 1)

(go-to "add.u64")
(end-of-line)
(insert "\n\tfma.rn.f")
(send-changes)
(note "completion" (vconcat (completions)))
(delete-region (line-beginning-position) (point))
(insert "\tld.gl")
(completion-at-point)
(note "completed" (buffer-substring-no-properties (line-beginning-position) (point)))
(delete-region (line-beginning-position) (1+ (line-end-position)))

(if is-eglot (eglot-format-buffer) (lsp-format-buffer))
(note "formatted" (buffer-substring-no-properties (point-min) (point-max)))
(note "outline" (format "%S" (progn (require 'imenu) (imenu--make-index-alist t))))

(set-buffer-modified-p nil)
(kill-emacs 0)
