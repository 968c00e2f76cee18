package double

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// inRepository is how the paths of GitHub's description begin that are about one
// repository.
const inRepository = "/repos/{owner}/{repo}"

// component is a reference of the description to one of its components.
var component = regexp.MustCompile(`"\$ref":\s*"#/components/([^/"]+)/([^/"]+)`)

// description is GitHub's description of its REST API, limited to the paths that a double
// serves and what they refer to.
type description struct {
	doc    *openapi3.T
	prefix string // of the endpoints' paths
}

// readDescription reads api.github.com.json of the npm package @octokit/openapi for the
// double of a repository.
func readDescription(file string) (*description, error) {
	d, err := describe(file, inRepository, endpoints)
	if err != nil {
		return nil, err
	}
	// The description does not say that an outdated comment has no line.
	comment := d.doc.Components.Schemas["pull-request-review-comment"].Value.Properties
	for _, name := range []string{"line", "position", "start_line"} {
		comment[name].Value.Nullable = true
	}
	return d, nil
}

// describe reads the endpoints' part of a description, whose paths begin with a prefix. It
// keeps only those of its eight hundred paths: the rest takes seconds.
func describe(file, prefix string, endpoints []*endpoint) (*description, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	type parts map[string]map[string]json.RawMessage
	var whole struct {
		OpenAPI    string                     `json:"openapi"`
		Info       json.RawMessage            `json:"info"`
		Paths      map[string]json.RawMessage `json:"paths"`
		Components parts                      `json:"components"`
	}
	if err := json.Unmarshal(content, &whole); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	paths, components := map[string]json.RawMessage{}, parts{}
	var keep func(part json.RawMessage)
	keep = func(part json.RawMessage) {
		for _, m := range component.FindAllSubmatch(part, -1) {
			kind, name := string(m[1]), string(m[2])
			if components[kind] == nil {
				components[kind] = map[string]json.RawMessage{}
			}
			if _, kept := components[kind][name]; !kept {
				components[kind][name] = whole.Components[kind][name]
				keep(components[kind][name])
			}
		}
	}
	for _, e := range endpoints {
		path := prefix + e.path
		paths[path] = whole.Paths[path]
		keep(paths[path])
	}
	small, err := json.Marshal(map[string]any{"openapi": whole.OpenAPI, "info": whole.Info, "paths": paths, "components": components})
	if err != nil {
		return nil, err
	}
	doc, err := openapi3.NewLoader().LoadFromData(small)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &description{doc, prefix}, nil
}

// operation returns the description of an endpoint.
func (d *description) operation(e *endpoint) (*openapi3.PathItem, *openapi3.Operation) {
	item := d.doc.Paths.Value(d.prefix + e.path)
	return item, item.GetOperation(e.method)
}

// check compares a request with the description: its parameters, its body, and that it has
// nothing unknown to the description, which GitHub would ignore.
func (d *description) check(c *call, e *endpoint) error {
	item, operation := d.operation(e)
	if operation == nil {
		return fmt.Errorf("the description has no %s %s", e.method, e.path)
	}
	for name := range c.URL.Query() {
		if operation.Parameters.GetByInAndName("query", name) == nil && item.Parameters.GetByInAndName("query", name) == nil {
			return fmt.Errorf("%s %s has no parameter %q", e.method, e.path, name)
		}
	}
	request := c.Clone(c.Context())
	request.Body = io.NopCloser(bytes.NewReader(described(c.raw)))
	err := openapi3filter.ValidateRequest(c.Context(), &openapi3filter.RequestValidationInput{
		Request: request, PathParams: c.parameters,
		Route:   &routers.Route{Spec: d.doc, Path: d.prefix + e.path, PathItem: item, Method: e.method, Operation: operation},
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	})
	if err != nil || operation.RequestBody == nil || len(c.raw) == 0 {
		return err
	}
	var body any
	if err := json.Unmarshal(described(c.raw), &body); err != nil {
		return err
	}
	return unknownMember(operation.RequestBody.Value.Content["application/json"].Schema.Value, body, "")
}

// described returns a body as the description has it: it does not know that labels
// may come as a bare array, which GitHub takes and its own libraries send.
func described(body []byte) []byte {
	if trimmed := bytes.TrimSpace(body); len(trimmed) > 0 && trimmed[0] == '[' {
		return slices.Concat([]byte(`{"labels":`), trimmed, []byte("}"))
	}
	return body
}

// unknownMember returns an error that names the first member of a value which its
// schema does not have. Choices between schemas are left to kin-openapi.
func unknownMember(schema *openapi3.Schema, value any, place string) error {
	switch value := value.(type) {
	case []any:
		if schema.Items == nil {
			return nil
		}
		for _, item := range value {
			if err := unknownMember(schema.Items.Value, item, place+"[]"); err != nil {
				return err
			}
		}
	case map[string]any:
		if len(schema.Properties) == 0 || len(schema.AllOf)+len(schema.AnyOf)+len(schema.OneOf) > 0 {
			return nil
		}
		for name, member := range value {
			property := schema.Properties[name]
			if property == nil {
				return fmt.Errorf("the body has a member %q that GitHub does not know", place+"."+name)
			}
			if err := unknownMember(property.Value, member, place+"."+name); err != nil {
				return err
			}
		}
	}
	return nil
}

// complete adds to a successful answer what the description requires and the double does
// not keep, and compares the whole with the description.
func (d *description) complete(e *endpoint, status int, body any) (any, error) {
	_, operation := d.operation(e)
	response := operation.Responses.Status(status)
	if status >= http.StatusBadRequest || response == nil || response.Value.Content["application/json"] == nil || body == nil {
		return body, nil
	}
	content, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	var value any
	if err := json.Unmarshal(content, &value); err != nil {
		return nil, err
	}
	schema := response.Value.Content["application/json"].Schema.Value
	value = filled(schema, value)
	if err := schema.VisitJSON(value, openapi3.VisitAsResponse()); err != nil {
		return nil, fmt.Errorf("the double's own answer to %s %s: %w", e.method, e.path, err)
	}
	return value, nil
}

// filled returns a value with its missing required members.
func filled(schema *openapi3.Schema, value any) any {
	switch value := value.(type) {
	case []any:
		if schema.Items != nil {
			for i := range value {
				value[i] = filled(schema.Items.Value, value[i])
			}
		}
	case map[string]any:
		for _, part := range schema.AllOf {
			filled(part.Value, value)
		}
		for _, choice := range slices.Concat(schema.AnyOf, schema.OneOf) {
			if len(choice.Value.Properties) > 0 {
				filled(choice.Value, value)
				break
			}
		}
		for name, property := range schema.Properties {
			if member, given := value[name]; given {
				value[name] = filled(property.Value, member)
			} else if slices.Contains(schema.Required, name) {
				value[name] = nothing(property.Value)
			}
		}
	}
	return value
}

// nothing returns the smallest value that a schema allows.
func nothing(schema *openapi3.Schema) any {
	switch choices := slices.Concat(schema.AllOf, schema.AnyOf, schema.OneOf); {
	case schema.Nullable:
		return nil
	case len(schema.Enum) > 0:
		return schema.Enum[0]
	case len(choices) > 0 && len(schema.Properties) == 0:
		return nothing(choices[0].Value)
	case schema.Type.Is("object"):
		return filled(schema, map[string]any{})
	case schema.Type.Is("array"):
		return []any{}
	case schema.Type.Is("boolean"):
		return false
	case schema.Type.Is("integer"), schema.Type.Is("number"):
		return 0.0
	case schema.Format == "date-time":
		return began.Format(timeFormat)
	case schema.Format == "uri":
		return "https://github.example/"
	}
	return ""
}
