package format

// amazonQAgent are agents of Amazon Q Developer (amazon-q-developer-cli
// docs/agent-format.md).
var amazonQAgent = agentFile("amazon-q-agent", ".amazonq/agents/*.json", ".amazonq/cli-agents/*.json")
