const READS_NETWORK =
  /^(requests\.(get|post|put|delete|head|patch|options|request)|requests\.[Ss]ession\(\)\.\w+|urllib\.request\.(urlopen|urlretrieve)|urllib2?\.(urlopen|urlretrieve)|urllib3\.(request|PoolManager\(\)\.\w+)|httpx\.(get|post|put|delete|head|patch|stream|request)|socket\.(create_connection|socket\(\)\.(connect|connect_ex|bind))|http\.client\.HTTPS?Connection\(\)\.request|ftplib\.\w+|smtplib\.\w+|paramiko\.\w+|websockets?\.(connect|create_connection)|wget\.download|gdown\.(download|download_folder)|huggingface_hub\.(hf_hub_download|snapshot_download)|torch\.hub\.(load|download_url_to_file|load_state_dict_from_url)|aiohttp\.request)$/;

export function readsNetwork(name: string): boolean {
  // Of a chain as `urlopen(…).read()` the call inside is what counts; it is a call of its own.
  return READS_NETWORK.test(name);
}
