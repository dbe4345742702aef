;;; default-faces.el --- The default colours of the faces PTX_FACES -*- lexical-binding: t; -*-
;; A batch has no colours, so the specifications of the faces are read for a screen that has.

(require 'cl-lib)
(require 'font-lock)
(require 'json)

(defun fits (display background)
  "Whether DISPLAY, of a face's specification, is one with many colours and that BACKGROUND."
  (or (memq display '(t default))
      (cl-every (lambda (condition)
                  (pcase condition
                    (`(class . ,classes) (memq 'color classes))
                    (`(background ,wanted) (eq wanted background))
                    (`(min-colors ,least) (<= least 256))
                    (_ nil)))
                display)))

(defun colour (face background)
  "The default colour of FACE on a BACKGROUND, as `#rrggbb'."
  (let* ((entry (cl-find-if (lambda (it) (fits (car it) background)) (face-default-spec face)))
         (attributes (if (consp (cadr entry)) (cadr entry) (cdr entry)))
         (name (plist-get attributes :foreground))
         (parent (plist-get attributes :inherit)))
    (cond (name (apply #'format "#%02x%02x%02x"
                       (mapcar (lambda (it) (ash it -8))
                               (cdr (assoc (downcase (replace-regexp-in-string " " "" name))
                                           color-name-rgb-alist)))))
          (parent (colour (if (consp parent) (car parent) parent) background)))))

(dolist (background '(dark light))
  (let ((coding-system-for-write 'utf-8)
        (value (mapcar (lambda (name) (cons name (colour (intern name) background)))
                       (split-string (getenv "PTX_FACES")))))
    (write-region (concat (json-encode `((step . ,(symbol-name background)) (value . ,value))) "\n")
                  nil (getenv "PTX_FACTS") t 'silent)))
