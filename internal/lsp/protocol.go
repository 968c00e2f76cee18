package lsp

import "encoding/json"

// The part of the Language Server Protocol 3.17 that is used, in its own words
// (microsoft.github.io/language-server-protocol, 2022-05). The server skips anything else that
// clients send.

type (
	position struct {
		Line      int `json:"line"`
		Character int `json:"character"`
	}
	span struct {
		Start position `json:"start"`
		End   position `json:"end"`
	}
	location struct {
		URI   string `json:"uri"`
		Range span   `json:"range"`
	}
	textDocument struct {
		URI        string `json:"uri"`
		LanguageID string `json:"languageId"`
		Version    int    `json:"version"`
		Text       string `json:"text"`
	}
	// documentParams are those of all requests about a document, and about a place in it.
	documentParams struct {
		TextDocument textDocument `json:"textDocument"`
		Position     position     `json:"position"`
		Range        span         `json:"range"`
	}
	folderParam struct {
		URI  string `json:"uri"`
		Name string `json:"name"`
	}
	initializeParams struct {
		RootURI               string        `json:"rootUri"`
		RootPath              string        `json:"rootPath"`
		Folders               []folderParam `json:"workspaceFolders"`
		Capabilities          capabilities  `json:"capabilities"`
		InitializationOptions settings      `json:"initializationOptions"`
	}
	// settings are those of the editor, under "mcplumb".
	settings struct {
		// Severity is the lowest severity that is shown, "" for what the settings of the
		// repository say.
		Severity string `json:"severity"`
	}
	// capabilities are what a client can do.
	capabilities struct {
		General struct {
			PositionEncodings []string `json:"positionEncodings"`
		} `json:"general"`
		Window struct {
			WorkDoneProgress bool `json:"workDoneProgress"`
		} `json:"window"`
		Workspace struct {
			Configuration    bool `json:"configuration"`
			WorkspaceFolders bool `json:"workspaceFolders"`
			WorkspaceEdit    struct {
				DocumentChanges    bool            `json:"documentChanges"`
				ResourceOperations []string        `json:"resourceOperations"`
				ChangeAnnotations  json.RawMessage `json:"changeAnnotationSupport"`
			} `json:"workspaceEdit"`
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
			Diagnostics struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"diagnostics"`
			CodeLens struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"codeLens"`
			InlayHint struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"inlayHint"`
		} `json:"workspace"`
		TextDocument struct {
			Diagnostic         *struct{} `json:"diagnostic"`
			PublishDiagnostics struct {
				VersionSupport bool `json:"versionSupport"`
			} `json:"publishDiagnostics"`
			CodeAction struct {
				LiteralSupport json.RawMessage `json:"codeActionLiteralSupport"`
				DataSupport    bool            `json:"dataSupport"`
				ResolveSupport struct {
					Properties []string `json:"properties"`
				} `json:"resolveSupport"`
			} `json:"codeAction"`
			Completion struct {
				CompletionItem struct {
					SnippetSupport        bool `json:"snippetSupport"`
					InsertTextModeSupport struct {
						ValueSet []int `json:"valueSet"`
					} `json:"insertTextModeSupport"`
				} `json:"completionItem"`
			} `json:"completion"`
			DocumentSymbol struct {
				Hierarchical bool `json:"hierarchicalDocumentSymbolSupport"`
			} `json:"documentSymbol"`
			Rename struct {
				PrepareSupport bool `json:"prepareSupport"`
			} `json:"rename"`
		} `json:"textDocument"`
	}
	changeParams struct {
		TextDocument   textDocument    `json:"textDocument"`
		ContentChanges []contentChange `json:"contentChanges"`
	}
	contentChange struct {
		Range *span  `json:"range"`
		Text  string `json:"text"`
	}
	watchedParams struct {
		Changes []struct {
			URI  string `json:"uri"`
			Type int    `json:"type"`
		} `json:"changes"`
	}
	foldersParams struct {
		Event struct {
			Added, Removed []folderParam
		} `json:"event"`
	}
	cancelParams struct {
		ID json.RawMessage `json:"id"`
	}
)

// Diagnostics.
type (
	diagnostic struct {
		Range       span             `json:"range"`
		Severity    int              `json:"severity"`
		Code        string           `json:"code,omitempty"`
		Description *codeDescription `json:"codeDescription,omitempty"`
		Source      string           `json:"source"`
		Message     string           `json:"message"`
		Tags        []int            `json:"tags,omitempty"`
		Related     []related        `json:"relatedInformation,omitempty"`
	}
	codeDescription struct {
		Href string `json:"href"`
	}
	related struct {
		Location location `json:"location"`
		Message  string   `json:"message"`
	}
	publishParams struct {
		URI         string       `json:"uri"`
		Version     *int         `json:"version,omitempty"`
		Diagnostics []diagnostic `json:"diagnostics"`
	}
	diagnosticReport struct {
		Kind     string       `json:"kind"`
		ResultID string       `json:"resultId,omitempty"`
		Items    []diagnostic `json:"items"`
	}
	workspaceReport struct {
		diagnosticReport
		URI     string `json:"uri"`
		Version *int   `json:"version"`
	}
)

// Edits.
type (
	textEdit struct {
		Range      span   `json:"range"`
		NewText    string `json:"newText"`
		Annotation string `json:"annotationId,omitempty"`
	}
	versionedDocument struct {
		URI     string `json:"uri"`
		Version *int   `json:"version"`
	}
	// documentChange changes a document, or makes one: then it has a kind and a URI alone.
	documentChange struct {
		Kind         string             `json:"kind,omitempty"`
		URI          string             `json:"uri,omitempty"`
		TextDocument *versionedDocument `json:"textDocument,omitempty"`
		Edits        []textEdit         `json:"edits,omitempty"`
	}
	changeAnnotation struct {
		Label             string `json:"label"`
		NeedsConfirmation bool   `json:"needsConfirmation"`
		Description       string `json:"description,omitempty"`
	}
	workspaceEdit struct {
		Changes         map[string][]textEdit       `json:"changes,omitempty"`
		DocumentChanges []documentChange            `json:"documentChanges,omitempty"`
		Annotations     map[string]changeAnnotation `json:"changeAnnotations,omitempty"`
	}
	codeActionParams struct {
		TextDocument textDocument `json:"textDocument"`
		Range        span         `json:"range"`
		Context      struct {
			Only []string `json:"only"`
		} `json:"context"`
	}
	codeAction struct {
		Title       string         `json:"title"`
		Kind        string         `json:"kind"`
		Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
		IsPreferred bool           `json:"isPreferred,omitempty"`
		Edit        *workspaceEdit `json:"edit,omitempty"`
		Data        *actionData    `json:"data,omitempty"`
	}
	// actionData says how to make an action whose edit is computed late.
	actionData struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
		// Kind is one of those in actions.go; Name and Client are what it is about.
		Kind   string `json:"kind"`
		Name   string `json:"name,omitempty"`
		Client string `json:"client,omitempty"`
	}
	renameParams struct {
		documentParams
		NewName string `json:"newName"`
	}
)

// What is shown next to a text.
type (
	markup struct {
		Kind  string `json:"kind"`
		Value string `json:"value"`
	}
	hover struct {
		Contents markup `json:"contents"`
		Range    span   `json:"range"`
	}
	prepared struct {
		Range       span   `json:"range"`
		Placeholder string `json:"placeholder"`
	}
	symbol struct {
		Name           string   `json:"name"`
		Detail         string   `json:"detail,omitempty"`
		Kind           int      `json:"kind"`
		Range          span     `json:"range"`
		SelectionRange span     `json:"selectionRange"`
		Children       []symbol `json:"children,omitempty"`
	}
	flatSymbol struct {
		Name     string   `json:"name"`
		Kind     int      `json:"kind"`
		Location location `json:"location"`
	}
	documentLink struct {
		Range   span   `json:"range"`
		Target  string `json:"target"`
		Tooltip string `json:"tooltip,omitempty"`
	}
	inlayHint struct {
		Position    position `json:"position"`
		Label       string   `json:"label"`
		Tooltip     string   `json:"tooltip,omitempty"`
		PaddingLeft bool     `json:"paddingLeft"`
	}
	command struct {
		Title     string `json:"title"`
		Command   string `json:"command"`
		Arguments []any  `json:"arguments,omitempty"`
	}
	codeLens struct {
		Range   span    `json:"range"`
		Command command `json:"command"`
	}
	completionItem struct {
		Label         string    `json:"label"`
		Kind          int       `json:"kind"`
		Detail        string    `json:"detail,omitempty"`
		Documentation *markup   `json:"documentation,omitempty"`
		SortText      string    `json:"sortText,omitempty"`
		FilterText    string    `json:"filterText,omitempty"`
		Format        int       `json:"insertTextFormat,omitempty"`
		Mode          int       `json:"insertTextMode,omitempty"`
		TextEdit      *textEdit `json:"textEdit,omitempty"`
		Deprecated    bool      `json:"deprecated,omitempty"`
	}
	completionList struct {
		IsIncomplete bool             `json:"isIncomplete"`
		Items        []completionItem `json:"items"`
	}
)
