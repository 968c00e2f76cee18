package identity

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestShort(t *testing.T) {
	tests := map[string]string{
		"foo-bar": "foo_bar", "foo.bar": "foo_bar", "foo__bar": "foo_bar", "Foo Bar": "foo_bar", "github": "github",
		"io.github.alice/filesystem": "filesystem", "@scope/My.Server": "my_server", "-x-": "x", "": "", "---": "", "a/": "",
		"天气": "天气", "地图-服务": "地图_服务", "Погода": "погода", "x\xff": "x", "café": "café",
	}
	for name, want := range tests {
		assert.Equal(t, want, Short(name), name)
		assert.Equal(t, want, Short(want), "short names are their own")
	}
}
