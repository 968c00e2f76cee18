;;; emacs.el --- Eglot opens a file, shows what is found, makes the fix and renames a server in three files  -*- lexical-binding: t -*-
;;; Commentary: ROOT=… SERVER=… emacs -Q --batch -l emacs.el
;;; Code:
(add-to-list 'load-path (car (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa-src/eglot-*")))
(require 'eglot)
(defun wait (what f)
  "Wait for F, which is WHAT."
  (let ((n 0))
    (while (and (not (funcall f)) (< n 3000)) (accept-process-output nil 0.02) (setq n (1+ n)))
    (unless (funcall f) (message "emacs: no %s" what) (kill-emacs 1))))
(defun comma ()
  "Return what Flymake shows of the comma."
  (seq-find (lambda (d) (string-match-p "comma" (flymake-diagnostic-text d))) (flymake-diagnostics)))
(let* ((root (file-name-as-directory (getenv "ROOT"))) (eglot-sync-connect t))
  (setq eglot-events-buffer-size 0 make-backup-files nil create-lockfiles nil
        project-find-functions (list (lambda (_) (cons 'transient root))))
  (load (getenv "EMACS_SETTINGS"))
  (unless (fboundp 'js-json-mode)       ; Emacs 29 has it
    (define-derived-mode js-json-mode js-mode "JSON"))
  (find-file (concat root ".mcp.json"))
  (js-json-mode)
  (call-interactively 'eglot)
  (flymake-start)
  (wait "diagnostics" #'comma)
  (goto-char (flymake-diagnostic-beg (comma)))
  (let ((last-nonmenu-event ?x))        ; else it opens a menu for the mouse
    (cl-letf (((symbol-function 'completing-read) (lambda (_ table &rest _) (caar table))))
      (eglot-code-actions (point) (point) nil t)))
  (wait "fix" (lambda () (save-excursion (goto-char 1) (not (re-search-forward "},\n  }" nil t)))))
  (eglot--signal-textDocument/didChange) ; else the rename is of the text before the fix, and refused
  (goto-char 1)
  (search-forward "\"docs")
  (backward-char)
  (cl-letf (((symbol-function 'y-or-n-p) (lambda (&rest _) t))) ; asks because two files are not open
    (eglot-rename "manual"))
  (save-some-buffers t)
  (eglot-shutdown (eglot-current-server) nil 5))
;;; emacs.el ends here
