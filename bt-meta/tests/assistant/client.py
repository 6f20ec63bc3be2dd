"""Drives every tool of `bt-meta mcp` with the official Python SDK.

client.py BT_META TREES [TOKEN_FILE]
"""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

BT_META, TREES, *TOKEN = sys.argv[1:]

SCRIPT = 'AGENT monster_agent\nSEQUENCE {}\n  say "Hello"\n  linger 1, 2\n'


async def called(session, tool, arguments):
    result = await session.call_tool(tool, arguments)
    content = getattr(result, "structured_content", None) or getattr(result, "structuredContent", None)
    is_error = getattr(result, "is_error", None) or getattr(result, "isError", None)
    assert json.loads(result.content[0].text) == content, tool
    print(f"{tool}: {'refused ' + content['error']['code'] if is_error else 'done'}")
    return content


async def done(session, tool, **arguments):
    content = await called(session, tool, arguments)
    assert "error" not in content, (tool, content)
    return content["data"]


async def refused(session, tool, code, **arguments):
    content = await called(session, tool, arguments)
    assert content["error"]["code"] == code, (tool, content)


async def trees(session):
    await done(session, "agents")
    assert (await done(session, "agent", agent="monster_agent", filter="chase"))["entries"]
    assert (await done(session, "trees", filter="flee.json"))["trees"][0]["nodes"] == 15
    tree = await done(session, "tree", tree="flee")
    changed = tree["text"].replace('"seconds": 6', '"seconds": 7')
    edit = {"tree": "flee.json", "revision": tree["revision"], "script": changed}
    assert '"seconds": 7' in (await done(session, "edit", **edit))["diff"]
    await refused(session, "edit", "conflict", **{**edit, "script": tree["text"]})
    await done(session, "edit", tree="greet.json", script=SCRIPT)
    await refused(session, "edit", "path", tree="../greet.json", script=SCRIPT)
    await refused(session, "edit", "invalid", tree="bad.json", script=SCRIPT.replace("say", "sy"))
    await done(session, "validate")
    await done(session, "fix", write=True)
    await done(session, "find", uses={"kind": "action", "name": "say"})
    await refused(session, "diff", "arguments")
    await done(session, "diff", old_agents="old.json")
    played = await done(session, "play", tree="greet", otherwise="success")
    assert played["result"] == "success", played
    await done(session, "test", scenarios=["flee-is-cornered.scenario.toml"])
    edits = [{"do": "set", "node": 9, "at": "/extra/action_args/1/arg_value", "value": "1"}]
    failed = await done(session, "test", tree="flee", edits=edits)
    assert failed["failed"] and failed["suspects"][0]["choices"], failed


async def game(session):
    agent = (await done(session, "live_agents"))["agents"][0]["agent"]
    await done(session, "live_explain", agent=agent)
    await done(session, "live_fire", agent=agent, event="bell")
    await done(session, "live_trace", agent=agent, seconds=0.3)
    await done(session, "live_set", agent=agent, values={"rung": 40})
    await refused(session, "live_step", "refused", agent=agent, step="over")
    await done(session, "live_step", agent=agent, step="stop")
    await done(session, "live_reload", trees=["wait.json"], check=True)


async def main():
    args = ["mcp", TREES]
    if TOKEN:
        args += ["--attach", TOKEN[0], "--control"]
    async with stdio_client(StdioServerParameters(command=BT_META, args=args)) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            names = [tool.name for tool in (await session.list_tools()).tools]
            assert len(names) == (18 if TOKEN else 11), names
            await (game(session) if TOKEN else trees(session))
            resources = (await session.list_resources()).resources
            page = await session.read_resource(resources[0].uri)
            assert page.contents[0].text.startswith("# Tree files"), page
    print("all tools")


asyncio.run(main())
