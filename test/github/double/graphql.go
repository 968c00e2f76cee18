package double

import (
	"encoding/json"
	"net/http"
	"os"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
)

const graphqlPath = "/graphql"

// nodeID is how GraphQL names the repository.
const nodeID = "R_kgDOAAAAAQ"

// readSchema reads schema.graphql of the npm package @octokit/graphql-schema.
func readSchema(file string) (*ast.Schema, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	doc, err := parser.ParseSchemas(validator.Prelude, &ast.Source{Name: file, Input: string(content)})
	if err != nil {
		return nil, err
	}
	for _, definition := range doc.Definitions {
		definition.Fields = once(definition.Fields)
	}
	return validator.ValidateSchemaDocument(doc)
}

// once removes a field's duplicate: GitHub's schema has some.
func once(fields ast.FieldList) (kept ast.FieldList) {
	for _, field := range fields {
		if kept.ForName(field.Name) == nil {
			kept = append(kept, field)
		}
	}
	return kept
}

// question is the body of a request to GraphQL.
type question struct {
	Query     string         `json:"query"`
	Variables map[string]any `json:"variables"`
	Operation string         `json:"operationName"`
}

// parse reads a question and holds it against GitHub's schema.
func (d *Double) parse(c *call) (*ast.OperationDefinition, map[string]any, error) {
	var q question
	if err := json.Unmarshal(c.raw, &q); err != nil {
		return nil, nil, err
	}
	doc, errs := gqlparser.LoadQueryWithRules(d.schema, q.Query, nil)
	if len(errs) > 0 {
		return nil, nil, errs
	}
	operation := doc.Operations.ForName(q.Operation)
	if operation == nil {
		operation = doc.Operations[0]
	}
	variables, err := validator.VariableValues(d.schema, operation, q.Variables)
	return operation, variables, err
}

// graphqlKind names the operation of a request: "mutation updateRefs".
func (d *Double) graphqlKind(c *call) string {
	operation, _, err := d.parse(c)
	if err != nil {
		return c.Method + " " + graphqlPath
	}
	if field, is := operation.SelectionSet[0].(*ast.Field); is {
		return string(operation.Operation) + " " + field.Name
	}
	return string(operation.Operation)
}

// graphqlError is how GraphQL words a failure. The status stays 200.
type graphqlError struct {
	Type    string   `json:"type,omitempty"`
	Path    []string `json:"path,omitempty"`
	Message string   `json:"message"`
}

// graphql answers POST /graphql.
func (d *Double) graphql(c *call, entry *Request) answer {
	operation, variables, err := d.parse(c)
	if err != nil {
		d.violated(entry, err.Error())
		return ok(map[string]any{"errors": []graphqlError{{Message: err.Error()}}})
	}
	data, failures := map[string]any{}, []graphqlError{}
	for _, selection := range operation.SelectionSet {
		field, is := selection.(*ast.Field)
		if !is {
			d.violated(entry, "the double does not know fragments")
			continue
		}
		value, failure := d.resolve(field, variables)
		if failure != nil {
			failure.Path = []string{field.Alias}
			failures = append(failures, *failure)
			data[field.Alias] = nil
			continue
		}
		data[field.Alias] = d.selected(entry, field.SelectionSet, value, variables)
	}
	if len(failures) > 0 {
		return ok(map[string]any{"data": data, "errors": failures})
	}
	return ok(map[string]any{"data": data})
}

// resolve answers one field of the root.
func (d *Double) resolve(field *ast.Field, variables map[string]any) (value map[string]any, failure *graphqlError) {
	arguments := field.ArgumentMap(variables)
	switch field.Name {
	case "repository":
		if arguments["owner"] != d.owner || arguments["name"] != d.name {
			return nil, &graphqlError{Type: "NOT_FOUND", Message: "Could not resolve to a Repository with the name '" + d.owner + "/" + d.name + "'."}
		}
		return map[string]any{"id": nodeID, "name": d.name, "nameWithOwner": d.owner + "/" + d.name, "url": d.web(""),
			"defaultBranchRef": d.graphqlRef("refs/heads/" + d.defaultBranch())}, nil
	case "viewer":
		return map[string]any{"login": botLogin}, nil
	case "updateRefs":
		content, _ := json.Marshal(arguments["input"])
		var input updateRefsInput
		_ = json.Unmarshal(content, &input)
		return d.updateRefs(input)
	}
	return nil, &graphqlError{Message: "the double does not serve " + field.Name}
}

func (d *Double) graphqlRef(name string) map[string]any {
	sha := d.repo.ref(name)
	if sha == "" {
		return nil
	}
	return map[string]any{"id": "REF_" + name, "name": name[len("refs/heads/"):], "prefix": "refs/heads/", "target": map[string]any{"oid": sha}}
}

// selected returns the requested members of a value.
func (d *Double) selected(entry *Request, set ast.SelectionSet, value map[string]any, variables map[string]any) map[string]any {
	if value == nil {
		return nil
	}
	found := map[string]any{}
	for _, selection := range set {
		field, is := selection.(*ast.Field)
		if !is {
			d.violated(entry, "the double does not know fragments")
			continue
		}
		member, has := value[field.Name]
		if field.Name == "ref" {
			name, _ := field.ArgumentMap(variables)["qualifiedName"].(string)
			member, has = d.graphqlRef(name), true
		}
		if !has {
			d.violated(entry, "the double does not know the field "+field.Name)
		}
		if object, is := member.(map[string]any); is {
			member = d.selected(entry, field.SelectionSet, object, variables)
		}
		found[field.Alias] = member
	}
	return found
}

// updateRefsInput is UpdateRefsInput of the schema.
type updateRefsInput struct {
	ClientMutationID *string `json:"clientMutationId"`
	RepositoryID     string  `json:"repositoryId"`
	RefUpdates       []struct {
		Name, BeforeOid, AfterOid string
		Force                     bool
	}
}

// updateRefs points refs elsewhere, all or none. beforeOid is what a ref must point to
// before, zeros if it must not exist; afterOid of zeros deletes it (docs: updateRefs).
// GitHub does not document its message for a ref that moved.
func (d *Double) updateRefs(input updateRefsInput) (map[string]any, *graphqlError) {
	unprocessable := func(message string) *graphqlError { return &graphqlError{Type: "UNPROCESSABLE", Message: message} }
	switch {
	case d.isDenied(contents):
		return nil, &graphqlError{Type: "FORBIDDEN", Message: "Resource not accessible by integration"}
	case input.RepositoryID != nodeID:
		return nil, &graphqlError{Type: "NOT_FOUND", Message: "Could not resolve to a node with the global id of '" + input.RepositoryID + "'"}
	}
	var lines []byte
	for _, u := range input.RefUpdates {
		now := d.repo.ref(u.Name)
		switch {
		case u.BeforeOid != "" && u.BeforeOid != now && !(u.BeforeOid == zero && now == ""):
			return nil, unprocessable("Reference update failed: " + u.Name + " is not at " + u.BeforeOid)
		case now == "" && u.AfterOid == zero:
			return nil, unprocessable("Reference does not exist")
		case now == "" && d.repo.kind(u.AfterOid) == "":
			return nil, unprocessable("Object does not exist")
		case now == "" && d.guarded[u.Name] != "":
			return nil, unprocessable(d.guarded[u.Name])
		}
		if problem := d.refusal(u.Name, now, u.AfterOid, u.Force); now != "" && problem != "" {
			return nil, unprocessable(problem)
		}
		lines = append(lines, "update "+u.Name+" "+u.AfterOid+"\n"...)
	}
	if _, err := d.repo.run(lines, nil, "update-ref", "--stdin"); err != nil {
		return nil, unprocessable(err.Error())
	}
	for _, p := range d.pulls {
		d.follow(p)
	}
	return map[string]any{"clientMutationId": input.ClientMutationID}, nil
}

var _ http.Handler = (*Double)(nil)
