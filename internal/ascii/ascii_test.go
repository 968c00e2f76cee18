package ascii

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestFold: only ASCII letters have a case here; the Kelvin sign is no k.
func TestFold(t *testing.T) {
	assert.Equal(t, "çÉx-y_z1", Lower("çÉX-y_Z1"))
	assert.Equal(t, "plain", Lower("plain"))
	assert.True(t, EqualFold("Bearer", "bEARER"))
	assert.False(t, EqualFold("\u212a", "k"))
	assert.False(t, EqualFold("É", "é"))
	assert.Equal(t, 2, IndexFold("x/Path/To", "path/to")) // bytes
	assert.Equal(t, -1, IndexFold("pat", "path"))
	assert.True(t, ContainsFold("YOUR_KEY", "your"))
	assert.Equal(t, -1, IndexFold("@", "`"), "they differ as letters of two cases do")
	rest, found := CutPrefixFold("Users/ann", "users/")
	assert.Equal(t, "ann", rest)
	assert.True(t, found)
	assert.False(t, HasPrefixFold("us", "users/"))
}

func TestClasses(t *testing.T) {
	for c := range 256 {
		b := byte(c)
		assert.Equal(t, IsDigit(b) || IsUpper(b) || IsLower(b), IsAlphanumeric(b), c)
		assert.Equal(t, IsUpper(b), ToLower(b) != b, c)
	}
	assert.True(t, All("0a", IsAlphanumeric))
	assert.False(t, All("0-", IsAlphanumeric))
	assert.False(t, All("", IsAlphanumeric))
}

func TestSet(t *testing.T) {
	marks := SetOf("<\xff")
	assert.True(t, marks['<'] && marks[0xff])
	assert.False(t, marks['>'] || marks[0])
}
