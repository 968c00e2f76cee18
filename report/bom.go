package report

import (
	"github.com/CycloneDX/cyclonedx-go"

	"github.com/mcplumb/mcplumb/internal/view"
)

// bomSchema is the schema of CycloneDX 1.6: the newest version that the
// programs which read one widely know.
const bomSchema = "http://cyclonedx.org/schema/bom-1.6.schema.json"

// bomMetadata says what wrote a bill of materials.
func bomMetadata(tool view.Tool) *cyclonedx.Metadata {
	return &cyclonedx.Metadata{Tools: &cyclonedx.ToolsChoice{Components: &[]cyclonedx.Component{
		{Type: cyclonedx.ComponentTypeApplication, Name: tool.Name, Version: tool.Version},
	}}}
}

// orNone returns a list as CycloneDX has it, nil for an empty one, which is left out.
func orNone[T any](list []T) *[]T {
	if len(list) == 0 {
		return nil
	}
	return &list
}
