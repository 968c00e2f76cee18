package identity

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestCodeVariables checks variables by their families and values.
func TestCodeVariables(t *testing.T) {
	for _, v := range [][2]string{
		{"npm_config_cache", "./x"}, {"NPM_CONFIG_@ACME:REGISTRY", "https://npm.acme.dev"}, {"npm_config_node_options", "--require ./x"},
		{"UV_PYTHON", "./python"}, {"UV_PYTHON", "python-of-the-project"}, {"UV_OVERRIDE", "x.txt"}, {"PYTHONPATH", "src"}, {"PIP_CONSTRAINT", "x"},
		{"NODE_OPTIONS", "--max-old-space-size=4096 --require=./x.js"}, {"NODE_EXTRA_CA_CERTS", "x.pem"}, {"https_proxy", "http://x"}, {"ALL_PROXY", "socks5://x"},
		{"DOCKER_HOST", "tcp://x"}, {"GIT_SSH_COMMAND", "./x"}, {"GIT_CONFIG_COUNT", "1"}, {"LD_AUDIT", "./x.so"}, {"Path", "./bin"}, {"ComSpec", "x.exe"}, {"ENV", "./profile"},
		{"NODE_COMPILE_CACHE", "./cache"}, {"BUN_RUNTIME_TRANSPILER_CACHE_PATH", "./cache"}, {"UV_NO_BINARY", "1"},
	} {
		assert.True(t, isCodeVariable(v[0], v[1]), "%s=%s", v[0], v[1])
	}
	for _, v := range [][2]string{
		{"npm_config_loglevel", "silent"}, {"npm_config_update-notifier", "false"}, {"UV_PYTHON", "3.12"}, {"UV_PYTHON", "cpython@3.13.1"}, {"UV_PYTHON", ">=3.11,<3.14"},
		{"PYTHONUNBUFFERED", "1"}, {"NODE_ENV", "production"}, {"NODE_OPTIONS", "--max-old-space-size=4096 --no-warnings"}, {"NODE_OPTIONS", ""}, {"NO_PROXY", "localhost"},
		{"GIT_AUTHOR_NAME", "a"}, {"GITHUB_TOKEN", "x"}, {"API_HOME", "x"}, {"LOG_LEVEL", "debug"},
		{"ENV", "production"}, {"NODE_URL", "https://node.acme.dev"},
	} {
		assert.False(t, isCodeVariable(v[0], v[1]), "%s=%s", v[0], v[1])
	}
}

// TestCodeOptions checks options before a package or a script.
func TestCodeOptions(t *testing.T) {
	for _, o := range [][2]string{
		{"--registry", "https://x"}, {"--@acme:registry", "https://x"}, {"--cache", "./x"}, {"--no-strict-ssl", ""}, {"--python", "./x"}, {"--require", "./x"},
		{"--allow-insecure-host", "x"}, {"--experimental-loader", "./x"}, {"-W", "error::evil.Warning"}, {"-X", "presite=x"}, {"-d", "auto_prepend_file=x"}, {"-I", "lib"},
	} {
		assert.True(t, isCodeOption(o[0], o[1]), "%s %s", o[0], o[1])
	}
	for _, o := range [][2]string{
		{"-y", ""}, {"--loglevel", "silent"}, {"--python", "3.12"}, {"--allow-net", ""}, {"--experimental-strip-types", ""}, {"-uB", ""}, {"-I", ""}, {"-W", "ignore"},
		{"-X", "utf8"}, {"--prefer-offline", ""},
	} {
		assert.False(t, isCodeOption(o[0], o[1]), "%s %s", o[0], o[1])
	}
}

// TestIsWide distinguishes options that give a container the host from those that give it a
// directory.
func TestIsWide(t *testing.T) {
	for _, o := range [][2]string{
		{"--privileged", ""}, {"--pid", "host"}, {"--network", "host"}, {"--network", "container:db"}, {"--cap-add", "ALL"}, {"--volume", "/:/host"},
		{"--volume", "/var/run/docker.sock:/var/run/docker.sock:ro"}, {"--volume", "~:/data"}, {"--volume", "${HOME}:/data"}, {"--volume", `C:\:/data`},
		{"--volume", "./bin:/usr/local/bin"}, {"--mount", "type=bind,src=./x,dst=/app"}, {"--mount", "type=bind,source=/etc,target=/data"}, {"--security-opt", "seccomp=unconfined"},
		{"--env-file", ".env"}, {"--device", "/dev/sda"},
	} {
		assert.True(t, IsWide(o[0], o[1]), "%s %s", o[0], o[1])
	}
	for _, o := range [][2]string{
		{"--privileged", "false"}, {"--network", "bridge"}, {"--volume", "./data:/app/data"}, {"--volume", "data:/data"}, {"--volume", "/data"}, {"--mount", "type=tmpfs,dst=/data"}, {"--volume", "${workspaceFolder}:/workspace"},
		{"--mount", "type=volume,src=data,dst=/data"}, {"--security-opt", "no-new-privileges"}, {"--publish", "8080:80"}, {"--memory", "1g"}, {"--user", "1000"},
	} {
		assert.False(t, IsWide(o[0], o[1]), "%s %s", o[0], o[1])
	}
}
